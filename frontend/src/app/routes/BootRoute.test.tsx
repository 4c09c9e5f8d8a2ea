import { act, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw/http';
import { Route, Routes } from 'react-router';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { endSession, memberSid, startSession } from '@/shared/api/session';
import { tickFromItem } from '@/shared/realtime/tick';
import { tickStore } from '@/shared/realtime/tickStore';
import { axeViolations } from '@/testing/axe';
import { renderApp } from '@/testing/renderApp';
import { server } from '@/testing/server';
import { member, MEMBER_SID, problem, samsung } from '@/testing/wireSamples';
import BootRoute from './BootRoute';

const open = () =>
  renderApp(
    <Routes>
      <Route path="/" element={<BootRoute />} />
      <Route path="*" element={null} />
    </Routes>,
  );
const address = () => screen.getByTestId('address');

describe('the entry', () => {
  beforeEach(() => {
    tickStore.clear();
    startSession({ accessToken: 'token', memberSid: MEMBER_SID });
  });

  it('shows a visitor what this is, with live prices and the ways in', async () => {
    endSession('logout');
    server.use(http.get('*/api/v1/stock/popular/member/0', () => HttpResponse.json([samsung])));
    const { container } = open();
    expect(screen.getByRole('heading', { level: 1, name: '시드업' })).toBeInTheDocument();
    expect(screen.getByRole('heading', { level: 2 })).toHaveTextContent('가상 머니로 시작하는 투자 연습');
    const market = screen.getByRole('region', { name: '지금 인기 있는 주식' });
    const row = await within(market).findByRole('listitem');
    expect(row).toHaveTextContent('71,300원');
    act(() => tickStore.apply([{ ...tickFromItem(samsung), seq: 11, price: 72_000 }]));
    await waitFor(() => expect(row).toHaveTextContent('72,000원'));
    expect(screen.getByRole('link', { name: '둘러보기' })).toHaveAttribute('href', '/invest-v2/stock');
    expect(screen.getByRole('link', { name: '시작하기' })).toHaveAttribute('href', '/join');
    expect(screen.getByRole('link', { name: '로그인' })).toHaveAttribute('href', '/login');
    expect(address()).toHaveTextContent(/^\/$/);
    expect(await axeViolations(container)).toEqual([]);
  });

  it('is shown to a visitor without prices, and requests them again', async () => {
    endSession('logout');
    server.use(http.get('*/api/v1/stock/popular/member/0', () => problem(422, 9007, 'UNAVAILABLE')));
    const { user } = open();
    const retry = await screen.findByRole('button', { name: '다시 시도' });
    expect(screen.getByRole('link', { name: '시작하기' })).toBeVisible();
    server.use(http.get('*/api/v1/stock/popular/member/0', () => HttpResponse.json([samsung])));
    await user.click(retry);
    expect(await screen.findByRole('link', { name: '삼성전자' })).toBeVisible();
  });

  it('leads home when the session is valid', async () => {
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

  it('leads home without a check when offline', async () => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    open();
    await waitFor(() => expect(address()).toHaveTextContent('/home'));
  });

  it('reports a missing reply, and retries', async () => {
    server.use(http.get('*/api/v1/member/:id', () => HttpResponse.error()));
    const { user } = open();
    await screen.findByText('연결이 원활하지 않아요', undefined, { timeout: 4_000 });
    server.use(http.get('*/api/v1/member/:id', () => HttpResponse.json(member)));
    await user.click(screen.getByRole('button', { name: '다시 시도' }));
    await waitFor(() => expect(address()).toHaveTextContent('/home'));
  });
});
