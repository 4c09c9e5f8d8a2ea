import { act, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw/http';
import { beforeEach, describe, expect, it } from 'vitest';
import { writeLastKnown } from '@/features/offline/lastKnown';
import { queryKeys } from '@/shared/api/queryKeys';
import { startSession } from '@/shared/api/session';
import type { Assets, Equity, Holding } from '@/shared/api/types';
import { setPreference } from '@/shared/platform/preferences';
import { tickFromItem } from '@/shared/realtime/tick';
import { tickStore } from '@/shared/realtime/tickStore';
import { ended, entry, ongoing, scheduled } from './competition/competitionSamples';
import { LiveRegions } from '@/app/LiveRegions';
import type { Competition } from '@/features/competition/types';
import { axeViolations } from '@/testing/axe';
import { card, daily } from '@/testing/learnSamples';
import { renderApp } from '@/testing/renderApp';
import { server } from '@/testing/server';
import { coinTrend, goldTrend, kospiTrend } from '@/testing/trendSamples';
import { assets, holding, member, MEMBER_SID, problem, samsung, waitingOrder } from '@/testing/wireSamples';
import { post } from './community/communitySamples';
import HomeRoute from './HomeRoute';

const bitcoin = { ...samsung, isuSrtCd: 'KRW-BTC', isuKorNm: '비트코인', marketCode: 'COIN' as const };
const bar = { ...samsung, isuSrtCd: '04020000', isuKorNm: '금 99.99', marketCode: 'GOLD' as const, unit: 'g' };
const fund = { ...samsung, isuSrtCd: '069500', isuKorNm: 'KODEX 200', marketCode: 'ETF' as const };

const EQUITY_KEY = [...queryKeys.account(MEMBER_SID), 'equity'];
const twoDays: Equity = {
  season: 1,
  from: '2026-08-27',
  to: '2026-11-26',
  points: [
    { date: '2026-11-25', equity: 5_000_000, base: 5_000_000, flow: 0 },
    { date: '2026-11-26', equity: 5_003_900, base: 5_000_000, flow: 0 },
  ],
  returnRt: 0.078,
  drawdownRt: 0,
  benchmarks: [],
  deposit: null,
};
const firstDay: Equity = { ...twoDays, points: twoDays.points.slice(1), returnRt: null, drawdownRt: null };

let stocks: Holding[] = [];
let summary: Assets = assets;
let equity = firstDay;

/** The account right after joining. */
const [basic] = assets.accounts;
const untouched: Assets = {
  ...assets,
  total: 5_000_000,
  dayTraded: 0,
  accounts: basic ? [{ ...basic, deposit: 5_000_000, available: 5_000_000, holdingsValue: 0, holdingsCost: 0 }] : [],
};

let events: Competition[];

beforeEach(() => {
  stocks = [holding];
  summary = { ...assets, dayTraded: -1_250 };
  equity = firstDay;
  tickStore.clear();
  setPreference({ hideAmounts: false });
  startSession({ accessToken: 'token', memberSid: MEMBER_SID });
  events = [];
  server.use(
    http.get('*/api/v1/member/:id', () => HttpResponse.json(member)),
    http.get('*/api/v1/competition/list', () => HttpResponse.json({ competitions: events, hasNext: false })),
    http.get('*/api/v1/invest/account/:id', () => HttpResponse.json(summary)),
    http.get('*/api/v1/invest/equity/member/:sid', () => HttpResponse.json(equity)),
    http.get('*/api/v1/stock/member/:sid', () => HttpResponse.json(stocks)),
    http.get('*/api/v1/coin/member/:sid', () => HttpResponse.json([])),
    http.get('*/api/v1/commodity/member/:sid', () => HttpResponse.json([])),
    http.get('*/api/v1/stock/wait/member/:sid', () => HttpResponse.json([waitingOrder])),
    http.get('*/api/v1/coin/wait/member/:sid', () => HttpResponse.json([])),
    http.get('*/api/v1/education/daily/:id', () => HttpResponse.json(daily)),
    http.get('*/api/v1/education/articles/:id', () => HttpResponse.json({ rows: [card], page: 0, hasNext: false, total: 1 })),
    http.get('*/api/v1/commodity/wait/member/:sid', () => HttpResponse.json([])),
    http.get('*/api/v1/market-trend/stocks/COIN', () => HttpResponse.json(coinTrend)),
    http.get('*/api/v1/market-trend/stocks/GOLD', () => HttpResponse.json(goldTrend)),
    http.get('*/api/v1/market-trend/stocks/:type', () => HttpResponse.json(kospiTrend)),
    http.get(`*/api/v1/stock/popular/member/${MEMBER_SID}`, ({ request }) =>
      HttpResponse.json(new URL(request.url).searchParams.get('acno') === 'ETF' ? [fund] : [samsung]),
    ),
    http.get(`*/api/v1/coin/popular/member/${MEMBER_SID}`, () => HttpResponse.json([bitcoin])),
    http.get(`*/api/v1/commodity/popular/member/${MEMBER_SID}`, () => HttpResponse.json([bar])),
  );
});

const section = (name: string) => screen.getByRole('region', { name });
const spoken = () => [...document.querySelectorAll('[aria-live=polite]')].map(({ textContent }) => textContent).join();
const open = () => renderApp(<><HomeRoute /><LiveRegions /></>, { at: '/home' });

describe('home', () => {
  it('starts with the figures of the last visit and their time until the reply arrives', async () => {
    const known = { ...assets, total: 4_321_000, dayTraded: -1_250 };
    writeLastKnown({ memberSid: MEMBER_SID, build: '' }, [{ key: queryKeys.assets(MEMBER_SID), atMs: Date.now() - 60_000, data: known }]);
    let answer: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    server.use(
      http.get('*/api/v1/invest/account/:id', async () => {
        await held;
        return HttpResponse.json(summary);
      }),
    );
    open();
    const hero = await screen.findByRole('region', { name: '내 총자산' });
    expect(hero).toHaveTextContent('4,321,000원');
    expect(hero).toHaveTextContent(/\d\d:\d\d 기준/);
    // Restored figures are shown but not announced.
    expect(spoken()).not.toContain('내 총자산 4,321,000원');
    answer();
    await waitFor(() => expect(hero).toHaveTextContent('5,003,900원'));
    expect(hero).not.toHaveTextContent('기준');
    await waitFor(() => expect(spoken()).toContain('내 총자산 5,003,900원'));
    localStorage.removeItem('last-known');
  });

  it('starts with the money: the total, its return, and the level', async () => {
    const { container } = open();
    const hero = await screen.findByRole('region', { name: '내 총자산' });
    expect(hero).toHaveTextContent('5,003,900원');
    // 3 × (71,300 − 70,200) of the holding, and the cost of today's trades.
    await waitFor(() => expect(hero).toHaveTextContent('오늘▲2,050원 (0.04%)상승'));
    expect(hero).toHaveTextContent('기본 자산보다▲0.08%상승');
    expect(hero).toHaveTextContent('현금4,790,000원');
    expect(section('빈털터리')).toHaveTextContent('다음 레벨까지 499만원');
    expect(screen.getByRole('meter', { name: '빈털터리, 다음 레벨까지 50%' })).toBeInTheDocument();
    expect(screen.getByRole('main').firstElementChild).toBe(hero);
    await screen.findByRole('link', { name: /150,176,000원/ });
    await within(section('인기 종목')).findByRole('link', { name: '삼성전자' });
    expect(await axeViolations(container)).toEqual([]);
  });

  it('announces the total once and not with every tick', async () => {
    open();
    await waitFor(() => expect(spoken()).toContain('내 총자산 5,003,900원'));
    act(() => tickStore.apply([{ ...tickFromItem(samsung), seq: 11, price: 80_000 }]));
    await waitFor(() => expect(section('내 총자산')).toHaveTextContent('5,030,000원'), { timeout: 3_500 });
    expect(spoken()).toContain('5,003,900원');
    expect(spoken()).not.toContain('5,030,000원');
  });

  it('computes the total at most once a second', async () => {
    open();
    const hero = await screen.findByRole('region', { name: '내 총자산' });
    const totals = new Set<string>();
    const total = () => /[\d,]+원/.exec(hero.textContent ?? '')?.[0] ?? '';
    // The figure rolls on arrival.
    await new Promise((resolve) => setTimeout(resolve, 1_600));
    const startedMs = Date.now();
    for (let seq = 11; Date.now() - startedMs < 2_000; seq += 1) {
      act(() => tickStore.apply([{ ...tickFromItem(samsung), seq, price: 71_300 + seq }]));
      await new Promise((resolve) => setTimeout(resolve, 40));
      totals.add(total());
    }
    expect(totals.size).toBeGreaterThan(1);
    expect(totals.size).toBeLessThanOrEqual(4);
  });

  it('hides every amount with the eye button, and remembers it', async () => {
    const { user, unmount } = open();
    await within(await screen.findByRole('region', { name: '보유 종목' })).findByText('213,900원');
    await user.click(screen.getByRole('button', { name: '금액 숨기기' }));
    expect(section('내 총자산')).not.toHaveTextContent('5,003,900');
    expect(section('빈털터리')).not.toHaveTextContent('499만');
    expect(section('보유 종목')).not.toHaveTextContent('213,900');
    unmount();
    open();
    expect(await screen.findByRole('button', { name: '금액 보기' })).toBeVisible();
    expect(section('내 총자산')).not.toHaveTextContent('5,003,900');
  });

  it('links only to existing screens', async () => {
    open();
    const quick = screen.getByRole('navigation', { name: '바로 가기' });
    await within(quick).findByRole('link', { name: '대기 주문 1건' });
    expect(within(quick).getAllByRole('link').map((link) => [link.getAttribute('href'), link.textContent?.trim()])).toEqual([
      ['/my/transfer', '이체'],
      ['/my/point-transfer', '포인트 이전'],
      ['/my/orders/wait', '1대기 주문 1건'],
      ['/my/profit-loss', '손익'],
    ]);
  });

  it.each([
    ['an official event', [ended, { ...ongoing, kind: 'LEAGUE' as const, entry: null }, scheduled], 'Summer Cup'],
    ['a league of the member', [{ ...ongoing, kind: 'LEAGUE' as const, entry }, scheduled], 'Spring Cup'],
  ])('ends with %s', async (_name, listed, title) => {
    events = listed;
    open();
    const banner = await screen.findByRole('region', { name: '투자 대회' });
    expect(within(banner).getByRole('link', { name: title })).toHaveAttribute('href', expect.stringMatching(/^\/competition\/\d+$/));
    expect(within(banner).getByRole('link', { name: '투자 대회 전체 보기' })).toHaveAttribute('href', '/competition');
  });

  it('has no banner without an event', async () => {
    events = [ended];
    open();
    await screen.findByRole('region', { name: '보유 종목' });
    await waitFor(() => expect(screen.queryByRole('region', { name: '투자 대회' })).toBeNull());
  });

  it('ends with the best posts of the community', async () => {
    server.use(http.get('*/api/v1/community/top-3', () => HttpResponse.json({ posts: [post(9)] })));
    open();
    const best = await screen.findByRole('region', { name: '인기 글' });
    expect(await within(best).findByRole('link', { name: /Post 9/ })).toHaveAttribute('href', '/community/detail?communitySid=9');
    expect(within(best).getByRole('link', { name: '인기 글 전체 보기' })).toHaveAttribute('href', '/community');
  });

  it('shows the three largest holdings', async () => {
    stocks = [1, 2, 3, 4].map((size) => ({ ...holding, isuSrtCd: `00000${size}`, isuKorNm: `회사${size}`, trdPrc: size * 10_000 }));
    open();
    const rows = await within(await screen.findByRole('region', { name: '보유 종목' })).findAllByRole('listitem');
    expect(rows.map((row) => /회사\d/.exec(row.textContent ?? '')?.[0])).toEqual(['회사4', '회사3', '회사2']);
    expect(within(section('보유 종목')).getByRole('link', { name: '보유 종목 전체 보기' })).toHaveAttribute('href', '/my/holdings');
  });

  it('shows the rest when a kind of holdings fails to load', async () => {
    server.use(http.get('*/api/v1/commodity/member/:sid', () => problem(422, 9007, 'UNAVAILABLE')));
    open();
    const holdings = await screen.findByRole('region', { name: '보유 종목' });
    expect(await within(holdings).findByText('일부를 불러오지 못했어요')).toBeVisible();
    expect(within(holdings).getByRole('link', { name: /삼성전자/ })).toBeVisible();
    // The server's total is kept, because the computed one would lack a part.
    expect(section('내 총자산')).toHaveTextContent('5,003,900원');
  });

  it('shows the direction of a gain in won', async () => {
    stocks = [{ ...holding, totalJuPrc: 213_895 }];
    open();
    const row = await within(await screen.findByRole('region', { name: '보유 종목' })).findByRole('link', { name: /삼성전자/ });
    expect(row).toHaveTextContent('▲5원 (0.01% 미만)상승');
  });

  it('never shows a change as zero when there is one', async () => {
    summary = { ...assets, accounts: assets.accounts.map((account) => ({ ...account, deposit: 5_000_115 })), dayTraded: 0 };
    stocks = [];
    open();
    const hero = await screen.findByRole('region', { name: '내 총자산' });
    await waitFor(() => expect(hero).toHaveTextContent('기본 자산보다▲0.01% 미만상승'));
  });

  it('shows today’s change, and omits it while it is unknown', async () => {
    const { unmount } = open();
    await waitFor(() => expect(section('내 총자산')).toHaveTextContent('오늘▲2,050원'));
    act(() => tickStore.apply([{ ...tickFromItem(samsung), seq: 11, price: 69_000 }]));
    await waitFor(() => expect(section('내 총자산')).toHaveTextContent('오늘▼4,850원 (0.1%)하락'), { timeout: 3_500 });
    unmount();
    tickStore.clear();
    summary = { ...assets, dayTraded: null };
    open();
    await waitFor(() => expect(section('내 총자산')).toHaveTextContent('5,003,900원'));
    await within(section('보유 종목')).findByText('213,900원');
    expect(section('내 총자산')).not.toHaveTextContent('오늘');
  });

  it('refetches the trades of the day when a new day begins', async () => {
    open();
    await waitFor(() => expect(section('내 총자산')).toHaveTextContent('오늘▲2,050원'));
    act(() => tickStore.apply([{ ...tickFromItem(samsung), seq: 11 }]));
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    summary = { ...assets, dayTraded: 0 };
    act(() => tickStore.apply([{ ...tickFromItem(samsung), seq: 12, previousClose: 71_300, price: 71_400 }]));
    await waitFor(() => expect(section('내 총자산')).toHaveTextContent('오늘▲300원 (0.01%)상승'), { timeout: 3_500 });
  });

  it('leads a new member to the first trade', async () => {
    stocks = [];
    summary = untouched;
    const { container } = open();
    const guide = await screen.findByRole('region', { name: '첫 거래를 해볼까요?' });
    expect(guide).toHaveTextContent('연습할 가상 머니가 500만원 있어요.');
    expect(within(guide).getByText('종목 고르기').closest('li')).toHaveAttribute('aria-current', 'step');
    expect(await within(guide).findByRole('link', { name: '삼성전자' })).toHaveAttribute('href', '/invest-v2/stock/005930');
    expect(within(guide).getByRole('link', { name: '종목 둘러보기' })).toHaveAttribute('href', '/invest-v2/stock');
    expect(screen.queryByRole('region', { name: '보유 종목' })).toBeNull();
    expect(await axeViolations(container)).toEqual([]);
  });

  it('shows the waiting first order, and disappears with the first share', async () => {
    stocks = [];
    const waiting = untouched.accounts.map((account) => ({ ...account, held: 70_011, available: 4_929_989 }));
    summary = { ...untouched, accounts: waiting };
    const { container, unmount } = open();
    const guide = await screen.findByRole('region', { name: '첫 거래를 해볼까요?' });
    expect(within(guide).getByText('체결을 기다리고 있어요').closest('li')).toHaveAttribute('aria-current', 'step');
    expect(within(guide).getByRole('link', { name: '대기 주문 보기' })).toHaveAttribute('href', '/my/orders/wait');
    expect(within(guide).getByText('종목 고르기')).toHaveTextContent('끝냈어요');
    expect(await axeViolations(container)).toEqual([]);
    unmount();
    stocks = [holding];
    summary = assets;
    open();
    expect(await screen.findByRole('region', { name: '보유 종목' })).toBeVisible();
    await within(section('보유 종목')).findByText('213,900원');
    expect(screen.queryByRole('region', { name: '첫 거래를 해볼까요?' })).toBeNull();
  });

  it('suggests only affordable shares', async () => {
    stocks = [];
    summary = untouched;
    server.use(
      http.get(`*/api/v1/stock/popular/member/${MEMBER_SID}`, () =>
        HttpResponse.json([{ ...samsung, isuSrtCd: '000001', isuKorNm: '비싼주식', trdPrc: 5_000_001 }, { ...samsung, isuSrtCd: '000002', isuKorNm: '멈춘주식', halted: true }, samsung]),
      ),
    );
    open();
    const guide = await screen.findByRole('region', { name: '첫 거래를 해볼까요?' });
    await within(guide).findByRole('link', { name: '삼성전자' });
    expect(within(guide).queryByRole('link', { name: /비싼주식|멈춘주식/ })).toBeNull();
  });

  it('says that there are no holdings, and where to look', async () => {
    stocks = [];
    open();
    expect(await screen.findByText('아직 보유한 종목이 없어요')).toBeVisible();
    expect(screen.getByRole('link', { name: '종목 둘러보기' })).toHaveAttribute('href', '/invest-v2/stock');
  });

  it('shows the markets side by side, without those that fail to load', async () => {
    server.use(http.get('*/api/v1/market-trend/stocks/COIN', () => problem(422, 9007, 'UNAVAILABLE')));
    open();
    const gold = await screen.findByRole('link', { name: /128,500원/ });
    expect(gold).toHaveAttribute('href', '/market-trend?tab=gold');
    expect(within(section('시장 동향')).queryByText('비트코인')).toBeNull();
    expect(within(section('시장 동향')).queryByRole('alert')).toBeNull();
    expect(screen.getByRole('link', { name: '시장 동향 전체 보기' })).toHaveAttribute('href', '/market-trend');
  });

  it('shows the time of a delayed market figure', async () => {
    const index = { ...coinTrend.index, asOf: '2026-11-21T12:41:00+09:00', delayed: true };
    server.use(http.get('*/api/v1/market-trend/stocks/COIN', () => HttpResponse.json({ ...coinTrend, index })));
    open();
    const late = await screen.findByRole('link', { name: /150,176,000원/ });
    expect(late).toHaveTextContent('12:41 기준');
    expect(late).toHaveTextContent('시세가 늦어지고 있어요');
    expect(await screen.findByRole('link', { name: /128,500원/ })).not.toHaveTextContent(/기준|늦어지고/);
  });

  it('shows popular instruments by kind', async () => {
    const { user } = open();
    const popular = await screen.findByRole('region', { name: '인기 종목' });
    expect(await within(popular).findByRole('link', { name: '삼성전자' })).toHaveAttribute('href', '/invest-v2/stock/005930');
    await user.click(within(popular).getByRole('tab', { name: 'ETF' }));
    expect(await within(popular).findByRole('link', { name: 'KODEX 200' })).toBeVisible();
    await user.click(within(popular).getByRole('tab', { name: '코인' }));
    expect(await within(popular).findByRole('link', { name: '비트코인' })).toBeVisible();
    await user.click(within(popular).getByRole('tab', { name: '금' }));
    expect(await within(popular).findByRole('link', { name: '금 99.99' })).toBeVisible();
  });

  it('stays up when its parts fail, each of which can be retried', async () => {
    const down = () => problem(422, 9007, 'UNAVAILABLE');
    server.use(
      http.get('*/api/v1/invest/account/:id', down),
      http.get('*/api/v1/stock/member/:sid', down),
      http.get('*/api/v1/market-trend/stocks/:type', down),
      http.get(`*/api/v1/stock/popular/member/${MEMBER_SID}`, down),
    );
    const { user, container } = open();
    await waitFor(() => expect(screen.getAllByRole('button', { name: '다시 시도' })).toHaveLength(4));
    expect(screen.getByRole('navigation', { name: '바로 가기' })).toBeVisible();
    expect(await axeViolations(container)).toEqual([]);
    server.use(
      http.get('*/api/v1/stock/member/:sid', () => HttpResponse.json(stocks)),
      http.get('*/api/v1/market-trend/stocks/:type', () => HttpResponse.json(kospiTrend)),
    );
    await user.click(within(section('보유 종목')).getByRole('button', { name: '다시 시도' }));
    expect(await within(section('보유 종목')).findByRole('link', { name: /삼성전자/ })).toBeVisible();
    await user.click(within(section('시장 동향')).getByRole('button', { name: '다시 시도' }));
    expect((await within(section('시장 동향')).findAllByText('코스피')).length).toBeGreaterThan(0);
  });
});

describe('the equity on the home screen', () => {
  it('is drawn, and leads to profit and loss', async () => {
    equity = twoDays;
    open();
    expect(within(await screen.findByRole('region', { name: '자산 변화' })).getByRole('link')).toHaveAttribute('href', '/my/profit-loss');
  });

  it('is absent in a competition, whose account it leaves out', async () => {
    equity = twoDays;
    server.use(http.get('*/api/v1/member/:id', () => HttpResponse.json({ ...member, competitionMode: true })));
    const { queryClient } = open();
    await act(() => import('./HomeEquity'));
    await waitFor(() => expect(queryClient.getQueryData(queryKeys.member(MEMBER_SID))).toBeDefined());
    await within(section('인기 종목')).findByRole('link', { name: '삼성전자' });
    expect(screen.queryByRole('region', { name: '자산 변화' })).toBeNull();
    expect(queryClient.getQueryCache().findAll({ queryKey: EQUITY_KEY })).toEqual([]);
  });

  it('is absent when it fails', async () => {
    server.use(http.get('*/api/v1/invest/equity/member/:sid', () => problem(422, 9007, 'UNAVAILABLE')));
    const { queryClient } = open();
    await waitFor(() => expect(queryClient.getQueryCache().findAll({ queryKey: EQUITY_KEY })[0]?.state.status).toBe('error'));
    expect(screen.queryByRole('region', { name: '자산 변화' })).toBeNull();
    expect(screen.queryByText('자산 변화를 불러오지 못했어요')).toBeNull();
  });
});

describe('learning on the home screen', () => {
  it('leads to the quiz of today and to articles', async () => {
    renderApp(<HomeRoute />);
    expect(await screen.findByRole('heading', { name: '오늘의 퀴즈 2/5' })).toBeInTheDocument();
    expect(screen.getByRole('link', { name: '풀고 포인트 받기' })).toHaveAttribute('href', '/study-v2/quiz/random');
    expect(await screen.findByRole('link', { name: /시장가와 지정가/ })).toHaveAttribute('href', '/study-v2/readable/orders-1');
  });
});
