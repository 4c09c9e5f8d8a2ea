import { act, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw/http';
import { Route, Routes } from 'react-router';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { endSession, startSession } from '@/shared/api/session';
import { setConnection } from '@/shared/realtime/connection';
import { tickFromItem } from '@/shared/realtime/tick';
import { tickStore } from '@/shared/realtime/tickStore';
import { axeViolations } from '@/testing/axe';
import { renderApp } from '@/testing/renderApp';
import { holding, MEMBER_SID, samsung } from '@/testing/wireSamples';
import { server } from '@/testing/server';
import CoinListRoute from './CoinListRoute';
import { InvestRoute } from './InvestRoute';
import StockListRoute from './StockListRoute';

const apple = {
  ...samsung,
  isuSrtCd: 'AAPL',
  isuKorNm: '애플',
  marketCode: 'stocks' as const,
  currency: 'USD' as const,
  trdPrc: 200,
  prevDdPrc: 200,
  flucRt: 0,
  fxRt: 1_400,
};
const fund = { ...samsung, isuSrtCd: '069500', isuKorNm: 'KODEX 200', marketCode: 'ETF' as const };
const bitcoin = { ...samsung, isuSrtCd: 'KRW-BTC', isuKorNm: '비트코인', marketCode: 'COIN' as const };

const open = (at: string) =>
  renderApp(
    <Routes>
      <Route path="/invest-v2" element={<InvestRoute />} />
      <Route path="/invest-v2/stock" element={<StockListRoute />} />
      <Route path="/invest-v2/coin" element={<CoinListRoute />} />
      <Route path="*" element={null} />
    </Routes>,
    { at },
  );

beforeEach(() => {
  tickStore.clear();
  server.use(
    http.get('*/api/v1/stock/popular/member/0', () => HttpResponse.json([samsung, apple])),
    http.get('*/api/v1/coin/popular/member/0', () => HttpResponse.json([bitcoin])),
  );
});

describe('the stock list', () => {
  it('is a list of links, each with one price for screen readers', async () => {
    const { container } = open('/invest-v2/stock');
    const link = await screen.findByRole('link', { name: '삼성전자' });
    expect(link).toHaveAttribute('href', '/invest-v2/stock/005930');
    expect(screen.getByText('71,300원, 1.57% 상승')).toBeInTheDocument();
    const row = screen.getByRole('link', { name: '애플' }).closest('li');
    expect(row).toHaveAttribute('aria-posinset', '2');
    expect(row).toHaveTextContent('280,000원');
    expect(row).toHaveTextContent('$200.00');
    expect(screen.getByRole('img', { name: '미국 주식' })).toHaveTextContent('🇺🇸');
    expect(await axeViolations(container)).toEqual([]);
  });

  it('sorts the popular instruments on request, which the address keeps', async () => {
    const { user } = open('/invest-v2/stock');
    await screen.findByRole('link', { name: '삼성전자' });
    const names = () => screen.getAllByRole('link').map(({ textContent }) => textContent).filter((name) => name === '삼성전자' || name === '애플');
    expect(names()).toEqual(['삼성전자', '애플']);
    expect(screen.getByRole('combobox', { name: '정렬' })).toHaveDisplayValue('인기순');
    await user.selectOptions(screen.getByRole('combobox', { name: '정렬' }), '가격순');
    await waitFor(() => expect(names()).toEqual(['애플', '삼성전자']));
    expect(screen.getByTestId('address')).toHaveTextContent('/invest-v2/stock?sort=price');
  });

  it('updates a single price with a tick', async () => {
    open('/invest-v2/stock');
    await screen.findByRole('link', { name: '삼성전자' });
    tickStore.apply([{ ...tickFromItem(samsung), seq: 11, price: 69_900 }]);
    expect(await screen.findByText('69,900원, 0.43% 하락')).toBeInTheDocument();
    expect(screen.getByText('280,000원, 보합')).toBeInTheDocument();
  });

  it('marks unusual trading states while they last', async () => {
    open('/invest-v2/stock');
    await screen.findByRole('link', { name: '삼성전자' });
    expect(screen.queryByText('동시호가')).toBeNull();
    const tick = tickFromItem(samsung);
    act(() => tickStore.apply([{ ...tick, session: 'AUCTION' }]));
    expect(await screen.findByText('동시호가')).toBeVisible();
    act(() => tickStore.apply([{ ...tick, session: 'AUCTION', interruption: 'DYNAMIC' }]));
    expect(await screen.findByText('VI 발동')).toBeVisible();
    act(() => tickStore.apply([{ ...tick, session: 'HALTED' }]));
    expect(await screen.findByText('거래정지')).toBeVisible();
    act(() => tickStore.apply([tick]));
    await waitFor(() => expect(screen.queryByText('거래정지')).toBeNull());
  });

  it('says which market stands still, and when it opens', async () => {
    const { container } = open('/invest-v2/stock');
    await screen.findByRole('link', { name: '삼성전자' });
    expect(screen.queryByText(/장이 닫혀 있어요/)).toBeNull();
    act(() => setConnection({ status: 'live', openMarkets: { KRX: false, US: true, COIN: true } }));
    expect(await screen.findByText('국내 장이 닫혀 있어요 · 거래일 09:00에 열어요')).toBeInTheDocument();
    expect(await axeViolations(container)).toEqual([]);
    act(() => setConnection({ openMarkets: { KRX: true, US: true, COIN: true } }));
    expect(screen.queryByText(/장이 닫혀 있어요/)).toBeNull();
    act(() => setConnection({ status: 'idle', openMarkets: {} }));
  });

  it('subscribes only the rendered rows', async () => {
    const { unmount } = open('/invest-v2/stock');
    await screen.findByRole('link', { name: '애플' });
    expect(tickStore.watched().get('/globalStock/realData')).toEqual(new Set(['AAPL']));
    expect(tickStore.watched().get('/stock/realData')).toEqual(new Set(['005930']));
    unmount();
    expect(tickStore.watched().size).toBe(0);
  });

  it('browses a market in the requested order, page by page', async () => {
    const asked: string[] = [];
    server.use(
      http.get('*/api/v1/stock/list', ({ request }) => {
        const { searchParams } = new URL(request.url);
        asked.push(`${searchParams.get('marketCode')} ${searchParams.get('sort')} ${searchParams.get('page')}`);
        const isFirst = searchParams.get('page') === '1';
        return HttpResponse.json({ items: [isFirst ? fund : apple], page: isFirst ? 1 : 2, size: 20, total: 2, hasNext: isFirst });
      }),
    );
    const { user } = open('/invest-v2/stock');
    await user.click(await screen.findByRole('tab', { name: 'ETF' }));
    const link = await screen.findByRole('link', { name: 'KODEX 200' });
    expect(link).toHaveAttribute('href', '/invest-v2/stock-etf/069500');
    expect(screen.getByTestId('address')).toHaveTextContent('/invest-v2/stock?tab=etf');
    await user.click(screen.getByRole('button', { name: '더 보기' }));
    expect(await screen.findByText('다 봤어요')).toBeInTheDocument();
    await user.selectOptions(screen.getByRole('combobox', { name: '정렬' }), '많이 오른 순');
    await waitFor(() => expect(asked).toEqual(['ETF value 1', 'ETF value 2', 'ETF rateUp 1']));
  });

  it('reports a failure with the trace id, and retries', async () => {
    let answers = 0;
    server.use(
      http.get('*/api/v1/stock/popular/member/0', () => {
        answers += 1;
        return answers === 1
          ? HttpResponse.json({ code: 9007, reason: 'UNAVAILABLE', message: '', traceId: 'abc' }, { status: 422 })
          : HttpResponse.json([samsung]);
      }),
    );
    const { user } = open('/invest-v2/stock');
    expect(await screen.findByText('요청 번호 abc')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: '다시 시도' }));
    expect(await screen.findByRole('link', { name: '삼성전자' })).toBeInTheDocument();
  });
});

describe('the selections of a member', () => {
  afterEach(() => endSession('logout'));

  it('are offered next to the markets', async () => {
    open('/invest-v2/stock');
    await screen.findByRole('link', { name: '삼성전자' });
    const chips = screen.getAllByRole('tab').map(({ textContent }) => textContent);
    expect(chips).toEqual(['인기', '관심', '보유', 'ETF', '코스피', '코스닥', '미국']);
  });

  it('list the likes, stocks and ETFs together', async () => {
    startSession({ accessToken: 'token', memberSid: MEMBER_SID });
    server.use(
      http.get('*/api/v1/stock/popular/member/:sid', () => HttpResponse.json([])),
      http.get('*/api/v1/stock/member/:sid/stock-like', ({ request }) => HttpResponse.json(new URL(request.url).search === '' ? [{ ...fund, like: true }] : [])),
    );
    open('/invest-v2/stock?tab=liked');
    expect(await screen.findByRole('link', { name: 'KODEX 200' })).toHaveAttribute('href', '/invest-v2/stock-etf/069500');
    expect(screen.getByRole('button', { name: 'KODEX 200 관심 종목에서 빼기' })).toHaveAttribute('aria-pressed', 'true');
  });

  it('list the holdings, and say when there are none', async () => {
    startSession({ accessToken: 'token', memberSid: MEMBER_SID });
    server.use(
      http.get('*/api/v1/stock/member/:sid', () => HttpResponse.json([holding])),
      http.get('*/api/v1/coin/member/:sid', () => HttpResponse.json([])),
    );
    const first = open('/invest-v2/stock?tab=held');
    expect(await screen.findByRole('link', { name: /삼성전자/ })).toHaveAttribute('href', '/invest-v2/stock/005930');
    expect(await axeViolations(first.container)).toEqual([]);
    first.unmount();
    open('/invest-v2/coin?tab=held');
    expect(await screen.findByText('아직 보유한 종목이 없어요')).toBeInTheDocument();
  });

  it('ask a visitor to sign in', async () => {
    open('/invest-v2/stock?tab=held');
    expect(await screen.findByRole('link', { name: '로그인하기' })).toHaveAttribute('href', '/login?next=%2Finvest-v2%2Fstock%3Ftab%3Dheld');
  });
});

describe('the coin list', () => {
  it('keeps its market in the link, and the tab opens there next time', async () => {
    const first = open('/invest-v2/coin');
    expect(await screen.findByRole('link', { name: '비트코인' })).toHaveAttribute(
      'href',
      '/invest-v2/coin/KRW-BTC?refMarketCode=coin',
    );
    first.unmount();
    open('/invest-v2');
    await waitFor(() => expect(screen.getByTestId('address')).toHaveTextContent('/invest-v2/coin'));
  });
});

describe('the search', () => {
  it('debounces the typing, and adds no history entry', async () => {
    const asked: (string | null)[] = [];
    server.use(
      http.get('*/api/v1/stock/search/get-stock-list', ({ request }) => {
        asked.push(new URL(request.url).searchParams.get('searchTxt'));
        return HttpResponse.json(asked.at(-1) === '삼성' ? [samsung] : []);
      }),
    );
    const { user } = open('/invest-v2/stock');
    await user.click(await screen.findByRole('button', { name: '주식 종목을 입력하세요' }));
    const dialog = await screen.findByRole('dialog', { name: '종목 검색' });
    await user.type(within(dialog).getByRole('searchbox'), '삼성');
    await user.click(await within(dialog).findByRole('link', { name: '삼성전자' }));
    expect(asked).toEqual(['삼성']);
    await waitFor(() => expect(screen.getByTestId('address')).toHaveTextContent('/invest-v2/stock/005930'));
  });

  it('says when nothing is found', async () => {
    server.use(http.get('*/api/v1/stock/search/get-stock-list', () => HttpResponse.json([])));
    const { user } = open('/invest-v2/stock');
    await user.click(await screen.findByRole('button', { name: '주식 종목을 입력하세요' }));
    const dialog = await screen.findByRole('dialog', { name: '종목 검색' });
    await user.type(within(dialog).getByRole('searchbox'), '없는이름');
    expect(await within(dialog).findByText("'없는이름'에 대한 검색 결과가 없습니다.")).toBeInTheDocument();
  });
});
