import { act, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw/http';
import { Route, Routes } from 'react-router';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { endSession, startSession } from '@/shared/api/session';
import { setConnection } from '@/shared/realtime/connection';
import { tickFromItem } from '@/shared/realtime/tick';
import { tickStore } from '@/shared/realtime/tickStore';
import type { LightChartProps } from '@/shared/ui/chart/LightChart';
import { axeViolations } from '@/testing/axe';
import { MEMBER_SID, samsung, waitingOrder } from '@/testing/wireSamples';
import { renderApp } from '@/testing/renderApp';
import { server } from '@/testing/server';
import CoinDetailRoute from './CoinDetailRoute';
import StockDetailRoute from './StockDetailRoute';

// The canvas needs a browser; its accessible description is tested here.
vi.mock('@/shared/ui/chart/LightChart', () => ({
  default: ({ label, studies }: LightChartProps) => (
    <div role="img" aria-label={label} data-averages={studies?.averages.join(' ')} data-volume={studies?.volume} />
  ),
}));

const candles = [
  { date: '2026-11-21T13:00:00+09:00', open: 70_200, high: 70_900, low: 69_800, close: 70_500, volume: 10 },
  { date: '2026-11-21T13:01:00+09:00', open: 70_500, high: 71_900, low: 70_500, close: 71_300, volume: 20 },
];
const bitcoin = { ...samsung, isuSrtCd: 'KRW-BTC', isuKorNm: '비트코인', marketCode: 'COIN' as const, unit: '개' };
const problem = (code: number, reason: string, status: number) =>
  HttpResponse.json({ code, reason, message: '', traceId: 'trace-1' }, { status });

const open = (at: string) =>
  renderApp(
    <Routes>
      <Route path="/invest-v2/stock/:code" element={<StockDetailRoute />} />
      <Route path="/invest-v2/coin/:code" element={<CoinDetailRoute />} />
      <Route path="/order/:category/:code" element={<p>order</p>} />
      <Route path="/login" element={<p>login</p>} />
      <Route path="/join" element={<p>join</p>} />
    </Routes>,
    { at },
  );

beforeEach(() => {
  tickStore.clear();
  server.use(
    http.get('*/api/v1/stock/real/code/005930', () => HttpResponse.json(samsung)),
    http.get('*/api/v1/coin/real/code/KRW-BTC', () => HttpResponse.json(bitcoin)),
    http.get('*/api/v1/global-stock/get-chart-data-type/005930', ({ request }) =>
      HttpResponse.json({ isuSrtCd: '005930', candleType: new URL(request.url).searchParams.get('candleType'), candles: [] }),
    ),
    http.get('*/api/v1/coin/get-coin-detail-time-tab', () => HttpResponse.json({ item: bitcoin, candles: [] })),
    http.get('*/api/v1/stock/detail/get-stock-company-outline', () => problem(4003, 'OUTLINE_NOT_FOUND', 404)),
  );
});
afterEach(() => endSession('logout'));

describe('the stock detail', () => {
  it('shows price, change and facts to visitors, and asks to sign in for buying', async () => {
    const { user, container } = open('/invest-v2/stock/005930');
    expect(await screen.findByRole('heading', { level: 1, name: '삼성전자' })).toBeInTheDocument();
    expect(screen.getByText('71,300원, 1.57% 상승')).toBeInTheDocument();
    expect(screen.getByText('연습 시세')).toBeInTheDocument();
    expect(screen.getByText('69,800원')).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: '판매하기' })).not.toBeInTheDocument();
    expect(screen.queryByText('회사 소개')).not.toBeInTheDocument();
    await waitFor(() => expect(screen.getByText('아직 차트 데이터가 없어요')).toBeInTheDocument());
    expect(await axeViolations(container)).toEqual([]);

    await user.click(screen.getByRole('button', { name: '구매하기' }));
    const dialog = await screen.findByRole('dialog', { name: '로그인하면 쓸 수 있어요' });
    expect(await axeViolations(container)).toEqual([]);
    await user.click(within(dialog).getByRole('button', { name: '로그인하기' }));
    await waitFor(() => expect(screen.getByTestId('address')).toHaveTextContent('/login?next=%2Finvest-v2%2Fstock%2F005930'));
  });

  it('offers a visitor to join, too, and to stay', async () => {
    const { user } = open('/invest-v2/stock/005930');
    await user.click(await screen.findByRole('button', { name: '구매하기' }));
    const dialog = await screen.findByRole('dialog', { name: '로그인하면 쓸 수 있어요' });
    expect(within(dialog).getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['회원가입', '로그인하기', '닫기']);
    await user.click(within(dialog).getByRole('button', { name: '닫기' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(screen.getByTestId('address')).toHaveTextContent('/invest-v2/stock/005930');
    await user.click(screen.getByRole('button', { name: '구매하기' }));
    await user.click(await screen.findByRole('button', { name: '회원가입' }));
    await waitFor(() => expect(screen.getByTestId('address')).toHaveTextContent('/join?next=%2Finvest-v2%2Fstock%2F005930'));
  });

  it('shows the direction of a change below a hundredth of a percent', async () => {
    server.use(http.get('*/api/v1/stock/real/code/005930', () => HttpResponse.json({ ...samsung, trdPrc: 142_352_000, prevDdPrc: 142_355_000 })));
    open('/invest-v2/stock/005930');
    expect(await screen.findByText('142,352,000원, 0.01% 미만 하락')).toBeInTheDocument();
    expect(screen.getByText('전일보다').closest('p')).toHaveTextContent('전일보다▼3,000원 (0.01% 미만)');
  });

  it('shows prices with as many decimals as a list', async () => {
    server.use(
      http.get('*/api/v1/stock/real/code/005930', () =>
        HttpResponse.json({ ...samsung, trdPrc: 0.52, prevDdPrc: 0.5, opnPrc: 0.51, hgPrc: 0.53, lwPrc: 0.498 }),
      ),
    );
    open('/invest-v2/stock/005930');
    expect(await screen.findByText('0.520원, 4% 상승')).toBeInTheDocument();
    for (const price of ['0.520원', '0.500원', '0.510원', '0.530원', '0.498원']) expect(screen.getByText(price)).toBeInTheDocument();
  });

  it('shows the middle rate apart from the rate of an order', async () => {
    server.use(http.get('*/api/v1/stock/real/code/005930', () => HttpResponse.json({ ...samsung, currency: 'USD', marketCode: 'stocks', fxRt: 1_470 })));
    open('/invest-v2/stock/005930');
    const rate = (await screen.findByText('기준 환율')).closest('div');
    expect(rate).toHaveTextContent('1,470원주문에는 환전 비용을 반영한 적용 환율을 써요');
    expect(screen.queryByText('적용 환율')).toBeNull();
  });

  it('draws the full-screen chart with volumes and the selected averages', async () => {
    server.use(
      http.get('*/api/v1/global-stock/get-chart-data-type/005930', () => HttpResponse.json({ isuSrtCd: '005930', candleType: 'DAY', candles })),
    );
    const { user, container } = open('/invest-v2/stock/005930');
    await screen.findByRole('img', { name: /^삼성전자 1일 차트/ });
    await user.click(screen.getByRole('button', { name: '차트 크게 보기' }));
    const large = await screen.findByRole('dialog', { name: '삼성전자 차트' });
    const picture = () => within(large).getByRole('img', { name: /^삼성전자 1일 차트/ });
    expect(picture()).toHaveAttribute('data-averages', '5 20 60');
    expect(picture()).toHaveAttribute('data-volume', 'true');
    expect(await axeViolations(container)).toEqual([]);
    await user.click(within(large).getByRole('button', { name: '이동평균 20' }));
    expect(picture()).toHaveAttribute('data-averages', '5 60');
    expect(within(large).getByRole('button', { name: '이동평균 20' })).toHaveAttribute('aria-pressed', 'false');
    await user.click(within(large).getByRole('tab', { name: '1년' }));
    await within(large).findByRole('img', { name: /^삼성전자 1년 차트/ });
    await user.click(within(large).getByRole('button', { name: '닫기' }));
    await waitFor(() => expect(screen.queryByRole('dialog', { name: '삼성전자 차트' })).toBeNull());
  });

  it('follows a live price and ignores an older one', async () => {
    open('/invest-v2/stock/005930');
    await screen.findByText('71,300원, 1.57% 상승');
    tickStore.apply([{ ...tickFromItem(samsung), seq: 11, price: 69_900 }]);
    expect(await screen.findByText('69,900원, 0.43% 하락')).toBeInTheDocument();
    tickStore.apply([{ ...tickFromItem(samsung), seq: 9, price: 99_000 }]);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(screen.getByText('69,900원, 0.43% 하락')).toBeInTheDocument();
  });

  it('shows a member\'s position and waiting orders, and lets them sell', async () => {
    startSession({ accessToken: 'token', memberSid: MEMBER_SID });
    const holding = {
      acno: '100000000000',
      isuSrtCd: '005930',
      isuKorNm: '삼성전자',
      marketCode: 'KOSPI',
      currency: 'KRW',
      juQty: 10,
      heldQty: 0,
      juPrc: 70_000,
      totalJuPrc: 700_000,
      like: false,
    };
    server.use(
      http.get('*/api/v1/stock/member/:sid/code/005930', () => HttpResponse.json([holding])),
      http.get('*/api/v1/stock/wait/member/:sid/code/005930', () => HttpResponse.json([waitingOrder])),
    );
    const { user } = open('/invest-v2/stock/005930');
    const position = await screen.findByRole('region', { name: '내 보유' });
    expect(position).toHaveTextContent('10주');
    expect(position).toHaveTextContent('▲13,000원 (1.86%)상승');
    expect(await screen.findByRole('link', { name: '대기 주문 1건' })).toHaveAttribute('href', '/my/orders/wait');
    await user.click(await screen.findByRole('button', { name: '판매하기' }));
    await waitFor(() => expect(screen.getByTestId('address')).toHaveTextContent('/order/stock/005930?side=sell'));
  });

  it('reports the market as closed when the last tick still calls it open', async () => {
    setConnection({ status: 'live', lastTickAtMs: Date.now(), openMarkets: { KRX: true } });
    open('/invest-v2/stock/005930');
    expect(await screen.findByText('실시간')).toBeInTheDocument();
    act(() => setConnection({ openMarkets: { KRX: false } }));
    expect(screen.getByText('장 마감')).toBeInTheDocument();
    expect(await screen.findByText('장이 닫혀 있어요 · 거래일 09:00에 열어요')).toBeInTheDocument();
    expect(screen.queryByText('실시간')).toBeNull();
    setConnection({ status: 'idle', lastTickAtMs: null, openMarkets: {} });
  });

  it('reports an unknown code and links to the list', async () => {
    server.use(http.get('*/api/v1/stock/real/code/000000', () => problem(4001, 'INSTRUMENT_NOT_FOUND', 404)));
    open('/invest-v2/stock/000000');
    expect(await screen.findByText('종목을 찾을 수 없어요')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: '목록으로 가기' })).toHaveAttribute('href', '/invest-v2/stock');
  });

  it('keeps the price when only the chart fails, and retries the chart', async () => {
    let answers = 0;
    server.use(
      http.get('*/api/v1/global-stock/get-chart-data-type/005930', () => {
        answers += 1;
        return answers === 1
          ? problem(4002, 'CANDLES_UNAVAILABLE', 503)
          : HttpResponse.json({ isuSrtCd: '005930', candleType: 'DAY', candles: [] });
      }),
    );
    const { user } = open('/invest-v2/stock/005930');
    expect(await screen.findByText('차트를 불러오지 못했어요')).toBeInTheDocument();
    expect(screen.getByText('71,300원, 1.57% 상승')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: '다시 시도' }));
    expect(await screen.findByText('아직 차트 데이터가 없어요')).toBeInTheDocument();
  });

  it('requests each of the five periods', async () => {
    const asked: (string | null)[] = [];
    server.use(
      http.get('*/api/v1/global-stock/get-chart-data-type/005930', ({ request }) => {
        const candleType = new URL(request.url).searchParams.get('candleType');
        asked.push(candleType);
        return HttpResponse.json({ isuSrtCd: '005930', candleType, candles: [] });
      }),
    );
    const { user } = open('/invest-v2/stock/005930');
    await screen.findByText('아직 차트 데이터가 없어요');
    const tabs = screen.getByRole('tablist', { name: '차트 기간' });
    await user.click(within(tabs).getByRole('tab', { name: '1일' }));
    await user.keyboard('{ArrowRight}{ArrowRight}{ArrowRight}{ArrowRight}{ArrowRight}{ArrowLeft}');
    await waitFor(() => expect(asked).toEqual(['DAY', 'WEEKLY', 'THREE_MONTH', 'YEAR', 'FIVE_YEAR']));
  });

  it('describes the chart, and lists its figures as a table, newest first', async () => {
    server.use(
      http.get('*/api/v1/global-stock/get-chart-data-type/005930', () =>
        HttpResponse.json({ isuSrtCd: '005930', candleType: 'DAY', candles }),
      ),
    );
    const { user } = open('/invest-v2/stock/005930');
    expect(
      await screen.findByRole('img', { name: '삼성전자 1일 차트. 시작 70,200원, 현재 71,300원, 최고 71,900원, 최저 69,800원' }),
    ).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: '표로 보기' }));
    const table = within(await screen.findByRole('dialog', { name: '삼성전자 1일 시세' })).getByRole('table');
    const rows = within(table).getAllByRole('row').slice(1);
    expect(rows.map((row) => row.textContent)).toEqual([
      '11.21 13:0171,300원70,500원71,900원70,500원20',
      '11.21 13:0070,500원70,200원70,900원69,800원10',
    ]);
  });
});

describe('the coin detail', () => {
  it('has its own routes and unit', async () => {
    open('/invest-v2/coin/KRW-BTC?refMarketCode=coin');
    expect(await screen.findByRole('heading', { level: 1, name: '비트코인' })).toBeInTheDocument();
    expect(screen.getByText('1,000개')).toBeInTheDocument();
  });
});
