import { onlineManager } from '@tanstack/react-query';
import { screen, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw/http';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LastKnown } from '@/features/offline/LastKnown';
import { writeLastKnown } from '@/features/offline/lastKnown';
import { endSession, startSession } from '@/shared/api/session';
import type { Dividend } from '@/shared/api/types';
import { setPreference } from '@/shared/platform/preferences';
import { axeViolations } from '@/testing/axe';
import { renderApp } from '@/testing/renderApp';
import { server } from '@/testing/server';
import { MEMBER_SID, problem } from '@/testing/wireSamples';
import DividendsRoute from './DividendsRoute';

const samsung: Dividend = {
  dividendSid: 7,
  acno: '100000000000',
  isuSrtCd: '005930',
  isuKorNm: '삼성전자',
  marketCode: 'KOSPI',
  currency: 'KRW',
  status: 'PAID',
  exDay: '2026-10-29',
  payDay: '2026-11-20',
  qty: 10,
  amount: 361,
  gross: 3_610,
  tax: 550,
  net: 3_060,
  fxRate: null,
  paidTime: '2026-11-20T09:00:00+09:00',
};

const apple: Dividend = {
  ...samsung,
  dividendSid: 6,
  isuSrtCd: 'AAPL',
  isuKorNm: '애플',
  marketCode: 'stocks',
  currency: 'USD',
  payDay: '2026-10-30',
  exDay: '2026-10-12',
  qty: 11,
  amount: 0.26,
  gross: 4_199,
  tax: 629,
  net: 3_570,
  fxRate: 1_470,
};

interface Page {
  announced: Dividend[];
  dividends: Dividend[];
  nextCursor: string | null;
}

const NOTHING: Page = { announced: [], dividends: [], nextCursor: null };

let asked: string[] = [];

const answer = (due: () => Response, paid: (cursor: string | null) => Response) =>
  server.use(
    http.get('*/api/v1/invest/dividend/member/:id', ({ request, params }) => {
      const { searchParams } = new URL(request.url);
      const state = searchParams.get('state');
      asked.push(`${String(params.id)} ${state} ${searchParams.get('cursor')}`);
      return state === 'DUE' ? due() : paid(searchParams.get('cursor'));
    }),
  );

const json = (page: Partial<Page>) => () => HttpResponse.json({ ...NOTHING, ...page });

beforeEach(() => {
  asked = [];
  setPreference({ hideAmounts: false });
  startSession({ accessToken: 'token', memberSid: MEMBER_SID });
});

afterEach(() => {
  vi.restoreAllMocks();
  onlineManager.setOnline(true);
  endSession('logout');
});

const section = async (name: string) => within(await screen.findByRole('region', { name }));

describe('the dividends', () => {
  it('are listed by month, to the won', async () => {
    answer(json({}), json({ dividends: [samsung, apple] }));
    const { container } = renderApp(<DividendsRoute />);
    const paid = await section('지급 완료');
    const months = paid.getAllByRole('heading', { level: 3 });
    expect(months.map(({ textContent }) => textContent)).toEqual(['2026년 11월', '2026년 10월']);
    const november = within(paid.getByRole('list', { name: '2026년 11월' }));
    expect(november.getByRole('link')).toHaveTextContent('10주 × 361원');
    expect(november.getByRole('link')).toHaveTextContent('배당락일 10.29 · 지급일 11.20');
    expect(november.getByText('3,060원')).toBeVisible();
    expect(november.getByText('세금 550원')).toBeVisible();
    const october = within(paid.getByRole('list', { name: '2026년 10월' })).getByRole('link');
    expect(october).toHaveTextContent('11주 × $0.26 · 환율 1,470원');
    expect(october).toHaveAttribute('href', '/invest-v2/stock/AAPL');
    expect(screen.queryByRole('region', { name: '받을 배당' })).toBeNull();
    expect(await axeViolations(container)).toEqual([]);
  });

  it('are shown apart from upcoming ones, which are estimates', async () => {
    const announced: Dividend = { ...apple, dividendSid: null, status: 'ANNOUNCED', exDay: '2026-12-10', payDay: '2027-01-04', paidTime: null };
    const due: Dividend = { ...samsung, status: 'DUE', payDay: '2026-12-18', paidTime: null };
    const unknown: Dividend = { ...due, isuSrtCd: 'MSFT', isuKorNm: '마이크로소프트', marketCode: 'stocks', currency: 'USD', gross: null, tax: null, net: null };
    answer(json({ announced: [announced], dividends: [due, unknown] }), json({}));
    const { container } = renderApp(<DividendsRoute />);
    const coming = await section('받을 배당');
    expect(coming.getByText('예상 금액은 지금 환율로 계산했어요. 받는 날 달라질 수 있어요.')).toBeVisible();
    expect(within(coming.getByRole('list', { name: '배당락일 전까지 가지고 있으면 받아요' })).getByRole('link')).toHaveTextContent('예상 3,570원');
    const december = within(coming.getByRole('list', { name: '2026년 12월' })).getAllByRole('link');
    expect(december[0]).toHaveTextContent('예상 3,060원');
    expect(december[1]).toHaveTextContent('환율을 기다려요');
    expect(december[1]).not.toHaveTextContent('예상');
    expect(screen.getByText('아직 받은 배당금이 없어요')).toBeVisible();
    expect(await axeViolations(container)).toEqual([]);
  });

  it('load page by page', async () => {
    answer(json({}), (cursor) => HttpResponse.json({ ...NOTHING, ...(cursor === '7' ? { dividends: [apple] } : { dividends: [samsung], nextCursor: '7' }) }));
    const { user } = renderApp(<DividendsRoute />);
    await user.click(await screen.findByRole('button', { name: '더 보기' }));
    expect(await screen.findByText('다 봤어요')).toBeVisible();
    expect(screen.getByText('애플', { ignore: '[aria-hidden]' })).toBeVisible();
    expect(asked.filter((question) => question.includes('PAID'))).toEqual([`${MEMBER_SID} PAID null`, `${MEMBER_SID} PAID 7`]);
  });

  it('can be hidden', async () => {
    setPreference({ hideAmounts: true });
    answer(json({}), json({ dividends: [samsung] }));
    renderApp(<DividendsRoute />);
    expect(await screen.findByText('삼성전자')).toBeVisible();
    expect(screen.queryByText('3,060원')).toBeNull();
    expect(screen.queryByText('세금 550원')).toBeNull();
  });

  it('have a skeleton, and may be empty', async () => {
    answer(json({}), json({}));
    const { container } = renderApp(<DividendsRoute />);
    expect(container.querySelector('[aria-busy=true]')).not.toBeNull();
    expect(await screen.findByText('아직 배당 내역이 없어요')).toBeVisible();
    expect(screen.getByRole('link', { name: '종목 둘러보기' })).toBeVisible();
    expect(container.querySelector('[aria-busy=true]')).toBeNull();
  });

  it('can be retried after a failure, of all or of a part', async () => {
    let isAway = true;
    const failure = () => problem(500, 9009, 'INTERNAL');
    answer(
      () => failure(),
      () => (isAway ? failure() : json({ dividends: [samsung] })()),
    );
    const { user } = renderApp(<DividendsRoute />);
    const alert = await screen.findByRole('alert');
    isAway = false;
    await user.click(within(alert).getByRole('button', { name: '다시 시도' }));
    expect(await screen.findByText('3,060원')).toBeVisible();
    expect(screen.getByText('불러오지 못했어요')).toBeVisible();
  });

  it('stay readable offline, and say so when they were never loaded', async () => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    const screenWithMemory = (
      <>
        <DividendsRoute />
        <LastKnown />
      </>
    );
    const cold = renderApp(screenWithMemory);
    expect(await screen.findByText('인터넷 연결을 확인해주세요')).toBeVisible();
    cold.unmount();
    const known = (state: string, page: Partial<Page>) => ({
      key: ['acct', MEMBER_SID, 'dividends', state],
      atMs: Date.now(),
      data: { pages: [{ ...NOTHING, ...page }], pageParams: [null] },
    });
    writeLastKnown({ memberSid: MEMBER_SID, build: '' }, [known('DUE', {}), known('PAID', { dividends: [samsung] })]);
    renderApp(screenWithMemory);
    expect(await screen.findByText('3,060원')).toBeVisible();
    expect(asked).toEqual([]);
  });
});
