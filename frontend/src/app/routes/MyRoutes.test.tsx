import { act, screen, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw/http';
import { beforeEach, describe, expect, it } from 'vitest';
import { startSession } from '@/shared/api/session';
import type { Holding, Member } from '@/shared/api/types';
import { preferences, setPreference } from '@/shared/platform/preferences';
import { tickFromItem } from '@/shared/realtime/tick';
import { tickStore } from '@/shared/realtime/tickStore';
import { axeViolations } from '@/testing/axe';
import { contractAccount, points } from '@/testing/moneySamples';
import { renderApp } from '@/testing/renderApp';
import { server } from '@/testing/server';
import { assets, holding, member, MEMBER_SID, samsung } from '@/testing/wireSamples';
import HoldingsRoute from './HoldingsRoute';
import MyRoute from './MyRoute';

const apple: Holding = {
  ...holding,
  isuSrtCd: 'AAPL',
  isuKorNm: '애플',
  marketCode: 'stocks',
  currency: 'USD',
  juQty: 1,
  juPrc: 230,
  totalJuPrc: 322_000,
  trdPrc: 225,
  fxRt: 1_400,
  evalPrc: 315_000,
};

let stocks: Holding[] = [];

beforeEach(() => {
  stocks = [holding, apple];
  tickStore.clear();
  setPreference({ hideAmounts: false, haptics: true, noticeSeconds: 2 });
  startSession({ accessToken: 'token', memberSid: MEMBER_SID });
  server.use(
    http.get('*/api/v1/member/education-point', () => HttpResponse.json(points)),
    http.get('*/api/v1/member/:id', () => HttpResponse.json(member)),
    http.get('*/api/v1/invest/account/:id', () => HttpResponse.json(assets)),
    http.get('*/api/v1/stock/member/:sid', () => HttpResponse.json(stocks)),
    http.get('*/api/v1/coin/member/:sid', () => HttpResponse.json([])),
    http.get('*/api/v1/commodity/member/:sid', () => HttpResponse.json([])),
  );
});

describe('holdings', () => {
  it('move with the ticks, within a second', async () => {
    renderApp(<HoldingsRoute />);
    expect(await screen.findByText('528,900원')).toBeVisible();
    const row = screen.getByRole('link', { name: /삼성전자/ });
    expect(row).toHaveTextContent('213,900원');
    act(() => tickStore.apply([{ ...tickFromItem(samsung), seq: 99, price: 80_000 }]));
    await waitFor(() => expect(row).toHaveTextContent('240,000원'), { timeout: 2_000 });
    // One arrow for won and percent, and no sign.
    expect(row).toHaveTextContent('▲30,000원 (14.29%)상승');
    expect(screen.getByText('555,000원')).toBeVisible();
    act(() => tickStore.apply([{ ...tickFromItem(samsung), seq: 100, price: 69_000 }]));
    await waitFor(() => expect(row).toHaveTextContent('▼3,000원 (1.43%)하락'), { timeout: 2_000 });
  });

  it('add up to their header at every instant', async () => {
    stocks = [holding, { ...holding, isuSrtCd: '000660', isuKorNm: 'SK하이닉스', trdPrc: 200_000, evalPrc: 600_000 }];
    renderApp(<HoldingsRoute />);
    await screen.findByText('813,900원');
    const wonOf = (element: Element) => Number(/([\d,]+)원/.exec(element.textContent ?? '')?.[1]?.replaceAll(',', ''));
    const sums: [header: number, rows: number][] = [];
    const seen = new MutationObserver(() => {
      const header = wonOf(screen.getByRole('region', { name: '평가 금액' }));
      const values = [...document.querySelectorAll('main li a')].map((row) => /평균 [\d,.]+원\s*([\d,]+)원/.exec(row.textContent ?? '')?.[1]);
      sums.push([header, values.reduce((sum, value) => sum + Number(value?.replaceAll(',', '')), 0)]);
    });
    seen.observe(document.body, { subtree: true, childList: true, characterData: true });
    for (let seq = 11; seq < 60; seq += 1) {
      act(() => tickStore.apply([
        { ...tickFromItem(samsung), seq, price: 71_000 + seq },
        { ...tickFromItem(samsung), code: '000660', seq, price: 200_000 - seq * 7 },
      ]));
      await act(() => new Promise((resolve) => setTimeout(resolve, 50)));
    }
    seen.disconnect();
    expect(new Set(sums.map(([header]) => header)).size).toBeGreaterThan(1);
    for (const [header, rows] of sums) expect(rows).toBe(header);
  });

  it('count deposits and savings at what they would be worth today', async () => {
    server.use(http.get('*/api/v1/invest/account/:id', () => HttpResponse.json({ ...assets, accounts: [...assets.accounts, contractAccount] })));
    const { container } = renderApp(<HoldingsRoute />);
    // 213,900 + 315,000 in shares, and 3,007,500 for which 3,000,000 were paid in.
    const summary = await screen.findByRole('region', { name: '평가 금액' });
    await waitFor(() => expect(summary).toHaveTextContent('3,536,400원'));
    // 528,900 − 532,000 + 7,500.
    expect(summary).toHaveTextContent('▲4,400원');
    expect(screen.getByRole('region', { name: '종류별 비중' })).toHaveTextContent('주식 14.96%예적금 85.04%');
    const row = screen.getByRole('link', { name: /새싹 정기예금/ });
    expect(row).toHaveAttribute('href', '/my/contracts/100000000203');
    expect(row).toHaveTextContent('3,007,500원');
    expect(screen.getByRole('link', { name: /예적금 전체 보기/ })).toHaveAttribute('href', '/my/contracts');
    expect(await axeViolations(container)).toEqual([]);
  });

  it('may be savings alone, which are no empty screen', async () => {
    stocks = [];
    server.use(http.get('*/api/v1/invest/account/:id', () => HttpResponse.json({ ...assets, accounts: [...assets.accounts, contractAccount] })));
    renderApp(<HoldingsRoute />);
    expect(await screen.findByRole('link', { name: /새싹 정기예금/ })).toBeVisible();
    expect(screen.queryByText('아직 보유한 종목이 없어요')).toBeNull();
    expect(screen.queryByRole('group', { name: '정렬' })).toBeNull();
  });

  it('lead to their detail and can be sorted by return', async () => {
    const { user } = renderApp(<HoldingsRoute />);
    const names = () => screen.getAllByRole('link', { name: /삼성전자|애플/ }).map((link) => link.getAttribute('href'));
    await screen.findByText('528,900원');
    expect(names()).toEqual(['/invest-v2/stock/AAPL', '/invest-v2/stock/005930']);
    await user.click(screen.getByRole('button', { name: '수익률순' }));
    expect(names()).toEqual(['/invest-v2/stock/005930', '/invest-v2/stock/AAPL']);
  });

  it('say when there are none, and when they cannot be loaded', async () => {
    stocks = [];
    const { unmount } = renderApp(<HoldingsRoute />);
    expect(await screen.findByText('아직 보유한 종목이 없어요')).toBeVisible();
    expect(screen.getByRole('link', { name: '배당 내역' })).toHaveAttribute('href', '/my/dividends');
    expect(screen.getByRole('link', { name: '종목 둘러보기' })).toBeVisible();
    unmount();
    server.use(
      http.get('*/api/v1/stock/member/:sid', () => HttpResponse.error()),
      http.get('*/api/v1/coin/member/:sid', () => HttpResponse.error()),
      http.get('*/api/v1/commodity/member/:sid', () => HttpResponse.error()),
    );
    renderApp(<HoldingsRoute />);
    expect(await screen.findByText('불러오지 못했어요')).toBeVisible();
  });

  it('are accessible', async () => {
    const { container } = renderApp(<HoldingsRoute />);
    await screen.findByText('528,900원');
    expect(await axeViolations(container)).toEqual([]);
  });
});

describe('the my page', () => {
  it('shows the live money first, and hides it', async () => {
    renderApp(<MyRoute />);
    expect(await screen.findByText('새싹민지')).toBeVisible();
    expect(await screen.findByText('5,318,900원')).toBeInTheDocument();
    expect(screen.getByText('4,790,000원')).toBeVisible();
    expect(screen.getByText('포인트를 옮길 때 1.0배로 바꿔드려요')).toBeVisible();
    act(() => setPreference({ hideAmounts: true }));
    expect(screen.queryByText('4,790,000원')).toBeNull();
    expect(screen.getAllByText('숨긴 금액').length).toBeGreaterThan(0);
    expect(preferences().hideAmounts).toBe(true);
  });

  it('shows what the member wears beside the nickname, as far as this release knows it', async () => {
    const wearing = (worn: Partial<Member>) => server.use(http.get('*/api/v1/member/:id', () => HttpResponse.json({ ...member, ...worn })));
    wearing({ frame: 'frame-gold', plate: 'plate-wood' });
    const { unmount } = renderApp(<MyRoute />);
    expect((await screen.findByText('새싹민지')).parentElement).toHaveTextContent('새싹민지나뭇결');
    unmount();
    wearing({ frame: 'frame-of-tomorrow', plate: 'plate-of-tomorrow' });
    renderApp(<MyRoute />);
    expect((await screen.findByText('새싹민지')).parentElement).toHaveTextContent(/^새싹민지$/);
  });

  it('offers only working links', async () => {
    renderApp(<MyRoute />);
    await screen.findByText('새싹민지');
    await screen.findByRole('link', { name: '알림' });
    expect(screen.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
      '/notifications',
      '/my/account',
      '/my/account',
      '/my/holdings',
      '/my/contracts',
      '/my/profit-loss',
      '/my/orders/history',
      '/my/orders/wait',
      '/my/likes',
      '/my/alerts',
      '/my/point-transfer',
      '/my/items',
      '/competition',
      '/my/posts',
      '/settings',
    ]);
    expect(await screen.findByRole('link', { name: /^포인트 이전\s*120P$/ })).toBeVisible();
  });

  it('is accessible', async () => {
    const { container } = renderApp(<MyRoute />);
    await screen.findByText('5,318,900원');
    expect(await axeViolations(container)).toEqual([]);
  });
});
