import { act, screen } from '@testing-library/react';
import { Link, Route, Routes } from 'react-router';
import { beforeEach, expect, it } from 'vitest';
import { endSession, startSession } from '@/shared/api/session';
import { renderApp } from '@/testing/renderApp';
import { MEMBER_SID } from '@/testing/wireSamples';
import { forgetLogout, RequireMember } from './RequireMember';

beforeEach(() => startSession({ accessToken: 'token', memberSid: MEMBER_SID }));

const open = () =>
  renderApp(
    <Routes>
      <Route path="/login" element={<Link to="/my/holdings">보유 종목</Link>} />
      <Route path="*" element={<RequireMember>내 화면</RequireMember>} />
    </Routes>,
    { at: '/my?tab=coin' },
  );
const address = () => screen.getByTestId('address').textContent;

it('whoever logs out comes to a login that leads nowhere in particular, also when an overlay goes back once more', async () => {
  const { user } = open();
  expect(screen.getByText('내 화면')).toBeVisible();
  act(() => endSession('logout'));
  expect(address()).toBe('/login');
  await user.click(screen.getByRole('link', { name: '보유 종목' }));
  expect(address()).toBe('/login');
});

it('a visitor who has gone on is led back to what they asked for, and so is whoever was signed out by the server', async () => {
  const { user } = open();
  act(() => endSession('logout'));
  forgetLogout();
  await user.click(screen.getByRole('link', { name: '보유 종목' }));
  expect(address()).toBe('/login?next=%2Fmy%2Fholdings');
  act(() => startSession({ accessToken: 'token', memberSid: MEMBER_SID }));
  await user.click(screen.getByRole('link', { name: '보유 종목' }));
  act(() => endSession('expired'));
  expect(address()).toBe('/login?next=%2Fmy%2Fholdings');
});
