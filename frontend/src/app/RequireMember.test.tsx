import { act, screen } from '@testing-library/react';
import { http, HttpResponse } from 'msw/http';
import { Link, Route, Routes } from 'react-router';
import { beforeEach, expect, it } from 'vitest';
import { endSession, startSession } from '@/shared/api/session';
import { previewOf } from '@/testing/previewSample';
import { renderApp } from '@/testing/renderApp';
import { server } from '@/testing/server';
import { MEMBER_SID, samsung, samsungTerms } from '@/testing/wireSamples';
import { forgetLogout, RequireMember } from './RequireMember';
import OrderRoute from './routes/OrderRoute';

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

it('logging out leads to a login without a destination, even when an overlay goes back once more', async () => {
  const { user } = open();
  expect(screen.getByText('내 화면')).toBeVisible();
  act(() => endSession('logout'));
  expect(address()).toBe('/login');
  await user.click(screen.getByRole('link', { name: '보유 종목' }));
  expect(address()).toBe('/login');
});

it('a visitor returns to the requested screen after the login, and so does an expired member', async () => {
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

it('a member who takes over in another tab sees no state of the previous one', async () => {
  server.use(
    http.get('*/api/v1/stock/real/code/:code', () => HttpResponse.json(samsung)),
    http.get('*/api/v1/invest/member/:id/code/:code', () => HttpResponse.json(samsungTerms)),
    http.post('*/api/v1/invest/preview', async ({ request }) => HttpResponse.json(previewOf((await request.json()) as never))),
  );
  const { user } = renderApp(
    <Routes>
      <Route
        path="/order/:category/:code"
        element={
          <RequireMember>
            <OrderRoute />
          </RequireMember>
        }
      />
    </Routes>,
    { at: '/order/stock/005930?side=buy' },
  );
  // A frozen page sees a logout and another login as one change. The item of the first member is still cached.
  await screen.findByText('주문 가능');
  act(() => startSession({ accessToken: 'theirs', memberSid: MEMBER_SID + 1 }));
  await screen.findByText('주문 가능');
  await user.click(screen.getByRole('button', { name: '3' }));
  expect(await screen.findByText('약 214,232원')).toBeVisible();
  act(() => startSession({ accessToken: 'token', memberSid: MEMBER_SID }));
  expect(await screen.findByText('몇 주 구매할까요?')).toBeVisible();
  expect(screen.queryByText('약 214,232원')).toBeNull();
});
