import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw/http';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Equity } from '@/shared/api/types';
import { startSession } from '@/shared/api/session';
import { setPreference } from '@/shared/platform/preferences';
import { axeViolations } from '@/testing/axe';
import { profitPage, soldApple, soldSamsung } from '@/testing/profitSamples';
import { firstSeason, secondSeason } from '@/testing/seasonSamples';
import { server } from '@/testing/server';
import { member, MEMBER_SID, problem } from '@/testing/wireSamples';
import { openMoney } from './openMoney';

const LIST = '*/api/v1/invest/:type/profit-loss-list/:id';
let asked: string[] = [];
let equityAsked: string[] = [];
let page = profitPage;
let seasons = firstSeason;

const open = (at = '/my/profit-loss') => openMoney(at);

beforeEach(() => {
  asked = [];
  equityAsked = [];
  page = profitPage;
  seasons = firstSeason;
  setPreference({ hideAmounts: false });
  startSession({ accessToken: 'token', memberSid: MEMBER_SID });
  server.use(
    http.get('*/api/v1/member/:id', () => HttpResponse.json(member)),
    http.get('*/api/v1/invest/season/member/:sid', () => HttpResponse.json(seasons)),
    http.get('*/api/v1/invest/equity/member/:sid', ({ request }) => {
      equityAsked.push(new URL(request.url).search);
      return HttpResponse.json(firstDay);
    }),
    http.get(LIST, ({ request, params }) => {
      const { searchParams } = new URL(request.url);
      searchParams.sort();
      asked.push(`${String(params.type)} ${searchParams.toString()}`);
      return HttpResponse.json(page);
    }),
  );
});

/** The equity of a member who has just joined. */
const firstDay: Equity = {
  season: 1,
  from: null,
  to: '2026-11-26',
  points: [{ date: '2026-11-26', equity: 5_000_000, base: 5_000_000, flow: 5_000_000 }],
  returnRt: null,
  drawdownRt: null,
  benchmarks: [],
  deposit: null,
};

const line = (name: string) => screen.getByRole('rowheader', { name }).closest('tr');

describe('profit and loss', () => {
  it('says what was realized this month, what each item brought, and how it adds up', async () => {
    const { container } = open();
    const month = await screen.findByRole('region', { name: '이번 달 실현 손익' });
    expect(month).toHaveTextContent('▲8,734원상승');
    const samsung = await screen.findByRole('link', { name: /삼성전자/ });
    expect(samsung).toHaveTextContent('12주 판매');
    expect(samsung).toHaveTextContent('71,516.7원 → 72,400원');
    expect(samsung).toHaveTextContent('▲8,734원상승▲1.02%상승');
    expect(samsung).toHaveAttribute('href', '/my/profit-loss/005930');
    expect(screen.getByRole('link', { name: /애플/ })).toHaveTextContent('▼7,100원하락');
    const totals = screen.getByRole('table', { name: '전체 기간 손익' });
    expect(totals).toHaveTextContent('판 손익▲5,202원상승');
    expect(line('가진 자산의 손익')).toHaveTextContent('▼2,100원하락');
    expect(line('세금')).toHaveTextContent('-1,897원');
    expect(line('합계')).toHaveTextContent('▲896원상승');
    expect(screen.getByText('전체 기간 손익', { selector: 'summary *' }).closest('summary')).toHaveTextContent('▲896원상승▲0.05%상승');
    expect(screen.getByText('종목마다 팔 때 든 비용만 뺐어요. 살 때 낸 수수료는 빼지 않았어요.')).toBeVisible();
    expect(screen.getByText(/수익률은 손익을 그만큼 사는 데 쓴 돈으로 나눈 값이에요/)).toBeInTheDocument();
    expect(asked).toEqual(['ALL dateType=ALL&groupBy=ITEM&kind=REALIZED']);
    expect(await axeViolations(container)).toEqual([]);
  });

  it('is valued again while it is shown, and when it is shown again', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    open();
    await screen.findByRole('link', { name: /삼성전자/ });
    page = { ...profitPage, summary: { ...profitPage.summary, total: 1_000 } };
    await act(() => vi.advanceTimersByTimeAsync(31_000));
    expect(await screen.findAllByText('1,000원')).not.toEqual([]);
    page = { ...profitPage, summary: { ...profitPage.summary, total: 2_000 } };
    act(() => void window.dispatchEvent(new Event('visibilitychange')));
    expect(await screen.findAllByText('2,000원')).not.toEqual([]);
    vi.useRealTimers();
  });

  it('is grouped by day, month or year, whose rows lead to what was sold in them', async () => {
    const { user } = open();
    await screen.findByRole('link', { name: /삼성전자/ });
    page = { ...profitPage, rows: [{ ...soldSamsung, key: '202611', name: null, code: null, qty: null, buyAvg: null, sellPrc: null }] };
    await user.click(screen.getByRole('tab', { name: '월' }));
    const november = await screen.findByRole('link', { name: /2026년 11월/ });
    expect(november).toHaveTextContent('2번 판매');
    expect(screen.getByTestId('address')).toHaveTextContent('/my/profit-loss?group=MONTH');
    expect(asked.at(-1)).toBe('ALL dateType=ALL&groupBy=MONTH&kind=REALIZED');
    page = profitPage;
    await user.click(november);
    await screen.findByRole('link', { name: /애플/ });
    expect(asked.at(-1)).toBe('ALL endDate=2026-11-30&groupBy=ITEM&kind=REALIZED&startDate=2026-11-01');
    expect(screen.getByRole('tab', { name: '종목' })).toHaveAttribute('aria-selected', 'true');
    expect(screen.getByText('고른 기간 손익', { selector: 'summary *' })).toBeVisible();
  });

  it('is filtered by kind of asset and by chosen days, of which only the date is sent', async () => {
    const { user, container } = open('/my/profit-loss?period=custom&from=2026-11-01T09:00&to=2026-11-20');
    await screen.findByRole('link', { name: /삼성전자/ });
    expect(asked).toEqual(['ALL endDate=2026-11-20&groupBy=ITEM&kind=REALIZED&startDate=2026-11-01']);
    await user.click(screen.getByRole('button', { name: '코인' }));
    await waitFor(() => expect(asked.at(-1)).toContain('COIN '));
    fireEvent.change(screen.getByLabelText('종료일'), { target: { value: '2026-10-01' } });
    expect(await screen.findByRole('alert')).toHaveTextContent('시작일을 종료일보다 앞으로 골라주세요');
    expect(await axeViolations(container)).toEqual([]);
  });

  it('loads the next page where the one before ended', async () => {
    page = { ...profitPage, rows: [soldSamsung], nextCursor: '20261120-005930' };
    const { user } = open();
    await screen.findByRole('link', { name: /삼성전자/ });
    page = { ...profitPage, rows: [soldApple] };
    await user.click(screen.getByRole('button', { name: '더 보기' }));
    expect(await screen.findByRole('link', { name: /애플/ })).toBeVisible();
    expect(screen.getByRole('link', { name: /삼성전자/ })).toBeVisible();
    expect(asked.at(-1)).toBe('ALL cursor=20261120-005930&dateType=ALL&groupBy=ITEM&kind=REALIZED');
  });

  it('says when nothing was sold, at all or in a period', async () => {
    page = { ...profitPage, rows: [], totalCount: 0 };
    const { user } = open();
    expect(await screen.findByText('아직 판매한 종목이 없어요')).toBeVisible();
    expect(screen.getByRole('link', { name: '종목 둘러보기' })).toBeVisible();
    await user.click(screen.getByRole('button', { name: '1개월' }));
    expect(await screen.findByText('이 기간에 판매한 종목이 없어요')).toBeVisible();
    await user.click(screen.getByRole('button', { name: '예·적금' }));
    expect(await screen.findByText('아직 받은 이자가 없어요')).toBeVisible();
    expect(asked.at(-1)).toBe('PRODUCT dateType=MONTH&groupBy=ITEM&kind=INTEREST');
  });

  it('draws the equity of the same period, of all assets together', async () => {
    const { user } = open();
    expect(await screen.findByText('내일부터 자산 변화를 그려 드려요')).toBeVisible();
    await user.click(screen.getByRole('button', { name: '1년' }));
    await waitFor(() => expect(equityAsked).toEqual(['?dateType=ALL', '?dateType=YEAR']));
    await user.click(screen.getByRole('button', { name: '주식' }));
    expect(screen.queryByRole('region', { name: '자산 변화' })).toBeNull();
  });

  it('shows what moved the base apart, and hides amounts', async () => {
    const { user } = open();
    await user.click(await screen.findByText('전체 기간 손익', { selector: 'summary *' }));
    expect(screen.getByRole('table', { name: '자산에 더하고 뺀 돈' })).toBeVisible();
    expect(line('처음 받은 돈')).toHaveTextContent('+5,000,000원');
    expect(line('아이템 산 돈')).toHaveTextContent('-100,000원');
    expect(screen.queryByRole('rowheader', { name: '구매한 돈' })).toBeNull();
    act(() => setPreference({ hideAmounts: true }));
    expect(screen.getByRole('main')).not.toHaveTextContent('5,000,000');
    expect(screen.getByRole('main')).not.toHaveTextContent('8,734');
  });

  it('can be retried after a failure', async () => {
    server.use(http.get(LIST, () => problem(422, 9007, 'UNAVAILABLE')));
    const { user } = open();
    const retry = await screen.findByRole('button', { name: '다시 시도' });
    server.use(http.get(LIST, () => HttpResponse.json(profitPage)));
    await user.click(retry);
    expect(await screen.findByRole('link', { name: /삼성전자/ })).toBeVisible();
  });

  it('is of a season that has ended, without the present month', async () => {
    seasons = secondSeason;
    const { user, container } = open();
    await user.click(await screen.findByRole('button', { name: '시즌 1' }));
    await waitFor(() => expect(asked.at(-1)).toBe('ALL dateType=ALL&groupBy=ITEM&kind=REALIZED&season=1'));
    expect(await screen.findByRole('link', { name: /삼성전자/ })).toHaveAttribute('href', '/my/profit-loss/005930?season=1');
    expect(screen.queryByRole('region', { name: '이번 달 실현 손익' })).toBeNull();
    expect(screen.getByRole('button', { name: '시즌 1' })).toHaveAttribute('aria-pressed', 'true');
    expect(await axeViolations(container)).toEqual([]);
    await user.click(screen.getByRole('button', { name: '이번 시즌' }));
    expect(await screen.findByRole('region', { name: '이번 달 실현 손익' })).toBeVisible();
  });

  it('is of the competition account in a competition', async () => {
    server.use(http.get('*/api/v1/member/:id', () => HttpResponse.json({ ...member, competitionMode: true })));
    open();
    await waitFor(() => expect(asked.at(-1)).toMatch(/^COMPETITION /));
    expect(screen.queryByRole('button', { name: '코인' })).toBeNull();
  });
});

describe('the sales of an instrument', () => {
  it('are listed with both parts of a gain in dollars', async () => {
    server.use(
      http.get(LIST, ({ request }) => {
        const groupBy = new URL(request.url).searchParams.get('groupBy');
        asked.push(request.url);
        return HttpResponse.json({ ...profitPage, rows: [groupBy === 'SALE' ? { ...soldApple, key: '7001', orderSid: 7_001 } : soldApple] });
      }),
    );
    const { container } = open('/my/profit-loss/AAPL?period=YEAR');
    const whole = await screen.findByRole('region', { name: '애플' });
    expect(within(whole).getByText('주가가 바꾼 금액').closest('div')).toHaveTextContent('▼5,910원');
    expect(within(whole).getByText('환율이 바꾼 금액').closest('div')).toHaveTextContent('▲512원');
    expect(within(whole).getByText('수수료·세금·환전 비용').closest('div')).toHaveTextContent('-1,702원');
    expect(screen.getByRole('button', { name: /2026년 10월 5일/ })).toHaveTextContent('2주 판매$230.51 → $228.50');
    expect(screen.getByText(/살 때 낸 수수료는 빼지 않았어요/)).toBeVisible();
    expect(asked.every((url) => url.includes('code=AAPL') && url.includes('dateType=YEAR'))).toBe(true);
    expect(await axeViolations(container)).toEqual([]);
  });
});
