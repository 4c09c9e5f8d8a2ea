import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw/http';
import { Route, Routes } from 'react-router';
import { beforeEach, describe, expect, it } from 'vitest';
import { endSession, startSession } from '@/shared/api/session';
import { tickStore } from '@/shared/realtime/tickStore';
import { axeViolations } from '@/testing/axe';
import { renderApp } from '@/testing/renderApp';
import { server } from '@/testing/server';
import { MEMBER_SID, problem, samsung } from '@/testing/wireSamples';
import { InvestRoute } from './InvestRoute';

const apple = { ...samsung, isuSrtCd: 'AAPL', isuKorNm: '애플', marketCode: 'stocks' as const, currency: 'USD' as const, fxRt: 1_400 };
const bitcoin = { ...samsung, isuSrtCd: 'KRW-BTC', isuKorNm: '비트코인', marketCode: 'COIN' as const, like: true };

const open = (at: string) =>
  renderApp(
    <Routes>
      <Route path="/invest-v2" element={<InvestRoute />} />
      <Route path="*" element={null} />
    </Routes>,
    { at },
  );
const strip = () => screen.findByRole('navigation', { name: '투자 상품 종류' });

beforeEach(() => {
  tickStore.clear();
  endSession('logout');
  server.use(
    http.get('*/api/v1/stock/popular/member/:sid', () => HttpResponse.json([samsung, apple])),
    http.get('*/api/v1/coin/popular/member/:sid', () => HttpResponse.json([bitcoin])),
    http.get('*/api/v1/stock/member/:sid/stock-like', () => HttpResponse.json([])),
    http.get('*/api/v1/coin/member/:sid/coin-like', () => HttpResponse.json([bitcoin])),
  );
});

describe('the invest hub', () => {
  it('has a tab for each kind and two selections, and shows what is popular', async () => {
    const { user, container } = open('/invest-v2?tab=popular');
    expect(within(await strip()).getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
      ['주식', '/invest-v2/stock'],
      ['코인', '/invest-v2/coin'],
      ['금', '/invest-v2/gold'],
      ['예적금', '/invest-v2/product'],
      ['관심', '/invest-v2?tab=liked'],
      ['인기', '/invest-v2?tab=popular'],
    ]);
    expect(within(await strip()).getByRole('link', { name: '인기' })).toHaveAttribute('aria-current', 'page');
    expect(await screen.findByRole('link', { name: '애플' })).toBeVisible();
    expect(await axeViolations(container)).toEqual([]);
    await user.click(screen.getByRole('tab', { name: '코인' }));
    expect(await screen.findByRole('link', { name: '비트코인' })).toHaveAttribute('href', '/invest-v2/coin/KRW-BTC?refMarketCode=coin');
  });

  it('opens on the tab that was used last', async () => {
    const first = open('/invest-v2?tab=popular');
    await screen.findByRole('link', { name: '애플' });
    first.unmount();
    const second = open('/invest-v2');
    expect(await screen.findByRole('link', { name: '애플' })).toBeVisible();
    second.unmount();
    localStorage.setItem('invest-tab', 'gold');
    open('/invest-v2');
    await waitFor(() => expect(screen.getByTestId('address')).toHaveTextContent('/invest-v2/gold'));
  });

  it('begins with stocks', async () => {
    open('/invest-v2');
    await waitFor(() => expect(screen.getByTestId('address')).toHaveTextContent('/invest-v2/stock'));
  });

  it('can be loaded again after a failure', async () => {
    server.use(http.get('*/api/v1/stock/popular/member/:sid', () => problem(422, 9007, 'UNAVAILABLE')));
    const { user } = open('/invest-v2?tab=popular');
    const retry = await screen.findByRole('button', { name: '다시 시도' });
    server.use(http.get('*/api/v1/stock/popular/member/:sid', () => HttpResponse.json([samsung])));
    await user.click(retry);
    expect(await screen.findByRole('link', { name: '삼성전자' })).toBeVisible();
  });

  it('shows a member what they like, kind by kind', async () => {
    startSession({ accessToken: 'token', memberSid: MEMBER_SID });
    const { user, container } = open('/invest-v2?tab=liked');
    expect(await screen.findByText('관심 종목이 없어요')).toBeVisible();
    await user.click(screen.getByRole('tab', { name: '코인' }));
    expect(await screen.findByRole('link', { name: '비트코인' })).toBeVisible();
    expect(screen.getByTestId('address')).toHaveTextContent('/invest-v2?tab=liked&kind=coin');
    expect(await axeViolations(container)).toEqual([]);
  });

  it('asks a visitor to sign in first, and comes back here', async () => {
    open('/invest-v2?tab=liked');
    expect(await screen.findByRole('link', { name: '로그인하기' })).toHaveAttribute(
      'href',
      `/login?next=${encodeURIComponent('/invest-v2?tab=liked')}`,
    );
  });
});
