import { screen, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw/http';
import { Route, Routes } from 'react-router';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { endSession, memberSid, startSession } from '@/shared/api/session';
import { renderApp } from '@/testing/renderApp';
import { server } from '@/testing/server';
import { member, MEMBER_SID, problem } from '@/testing/wireSamples';
import BootRoute from './BootRoute';

const open = () =>
  renderApp(
    <Routes>
      <Route path="/" element={<BootRoute />} />
      <Route path="*" element={null} />
    </Routes>,
  );
const address = () => screen.getByTestId('address');

describe('the front door', () => {
  beforeEach(() => startSession({ accessToken: 'token', memberSid: MEMBER_SID }));

  it('lets a visitor pass at once', async () => {
    endSession('logout');
    open();
    await waitFor(() => expect(address()).toHaveTextContent('/invest-v2/stock'));
  });

  it('leads home when the session holds', async () => {
    server.use(http.get('*/api/v1/member/:id', () => HttpResponse.json(member)));
    open();
    expect(screen.getByText('여는 중이에요')).toBeInTheDocument();
    await waitFor(() => expect(address()).toHaveTextContent('/home'));
  });

  it.each([
    [1205, 'Authentication is invalid'],
    [1203, 'Expired'],
  ])('leads to the login when the session is over: %d %s', async (code, reason) => {
    server.use(http.get('*/api/v1/member/:id', () => problem(401, code, reason)));
    open();
    await waitFor(() => expect(address()).toHaveTextContent('/login'));
    expect(memberSid()).toBeNull();
  });

  it('leads home without asking when there is no connection', async () => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    open();
    await waitFor(() => expect(address()).toHaveTextContent('/home'));
  });

  it('says so when nobody answers, and tries again', async () => {
    server.use(http.get('*/api/v1/member/:id', () => HttpResponse.error()));
    const { user } = open();
    await screen.findByText('연결이 원활하지 않아요', undefined, { timeout: 4_000 });
    server.use(http.get('*/api/v1/member/:id', () => HttpResponse.json(member)));
    await user.click(screen.getByRole('button', { name: '다시 시도' }));
    await waitFor(() => expect(address()).toHaveTextContent('/home'));
  });
});
