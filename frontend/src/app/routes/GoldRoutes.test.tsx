import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw/http';
import { Route, Routes } from 'react-router';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { endSession, startSession } from '@/shared/api/session';
import { setConnection } from '@/shared/realtime/connection';
import { tickFromItem } from '@/shared/realtime/tick';
import { tickStore } from '@/shared/realtime/tickStore';
import { axeViolations } from '@/testing/axe';
import { exchangeRates, goldBar, goldPrice, oil } from '@/testing/productSamples';
import { renderApp } from '@/testing/renderApp';
import { server } from '@/testing/server';
import { holding, MEMBER_SID, problem } from '@/testing/wireSamples';
import GoldDetailRoute from './GoldDetailRoute';
import GoldListRoute from './GoldListRoute';

vi.mock('@/shared/ui/chart/LightChart', () => ({
  default: ({ label, onNeedOlder }: { label: string; onNeedOlder?: () => void }) => (
    <button type="button" aria-label={label} onClick={onNeedOlder} />
  ),
}));

const open = (at: string) =>
  renderApp(
    <Routes>
      <Route path="/invest-v2/gold" element={<GoldListRoute />} />
      <Route path="/invest-v2/gold/:code" element={<GoldDetailRoute />} />
      <Route path="*" element={null} />
    </Routes>,
    { at },
  );

beforeEach(() => {
  tickStore.clear();
  server.use(
    http.get('*/api/v1/commodity/list', () => HttpResponse.json({ items: [oil, goldBar], page: 1, size: 20, total: 2, hasNext: false })),
    http.get('*/api/v1/commodity/get-exchange-rate', () => HttpResponse.json(exchangeRates)),
    http.get('*/api/v1/commodity/get-commodity-price', ({ request }) =>
      HttpResponse.json(new URL(request.url).searchParams.get('isuSrtCd') === 'WTI' ? { item: oil } : goldPrice),
    ),
    http.get('*/api/v1/commodity/real/code/04020000', () => HttpResponse.json(goldBar)),
    http.get('*/api/v1/commodity/real/code/WTI', () => HttpResponse.json(oil)),
    http.post('*/api/v1/commodity/commodity_chart', () => HttpResponse.json({ isuSrtCd: '04020000', candleType: 'DAY', candles: [] })),
  );
});
afterEach(() => {
  endSession('logout');
  setConnection({ status: 'idle', lastTickAtMs: null, openMarkets: {} });
});

describe('the gold list', () => {
  it('lists popular gold together with the rest', async () => {
    server.use(http.get('*/api/v1/commodity/popular/member/0', () => HttpResponse.json([oil])));
    const { user } = open('/invest-v2/gold');
    await user.click(await screen.findByRole('tab', { name: '인기' }));
    const panel = screen.getByRole('tabpanel', { name: '인기' });
    expect(await within(panel).findByRole('link', { name: 'WTI 원유' })).toBeVisible();
    expect(within(panel).queryByRole('link', { name: goldBar.isuKorNm })).toBeNull();
  });

  it('shows tradable gold first, then international prices, below the exchange rate and the premium', async () => {
    const { container } = open('/invest-v2/gold');
    const domestic = await screen.findByRole('region', { name: '국내 금' });
    expect(within(domestic).getByRole('link', { name: goldBar.isuKorNm })).toHaveAttribute('href', '/invest-v2/gold/04020000');
    expect(within(domestic).getByText('1g 기준 · 04020000')).toBeInTheDocument();
    const world = screen.getByRole('region', { name: '국제 시세' });
    expect(within(world).getByRole('link', { name: 'WTI 원유' })).toBeInTheDocument();
    expect(within(world).getByText('시세만 볼 수 있고 사고팔 수는 없어요')).toBeInTheDocument();
    const rates = await screen.findByRole('region', { name: '금값과 환율' });
    expect(rates).toHaveTextContent('원/달러1,400.5원');
    await waitFor(() => expect(rates).toHaveTextContent('괴리율+0.52%국내 금이 국제 금값보다 0.52% 비싸요'));
    expect(rates).toHaveTextContent('13:05 기준');
    expect(await axeViolations(container)).toEqual([]);
  });

  it('keeps the place of the premium and of the time until they are loaded', async () => {
    server.use(http.get('*/api/v1/commodity/get-commodity-price', () => new Promise<never>(() => undefined)));
    open('/invest-v2/gold');
    const rates = await screen.findByRole('region', { name: '금값과 환율' });
    expect(rates).toHaveAttribute('aria-busy', 'true');
    expect(within(rates).getByText('괴리율')).toBeInTheDocument();
    expect(await within(rates).findByText('1,400.5원')).toBeInTheDocument();
    expect(within(rates).getByText('괴리율')).toBeInTheDocument();
  });

  it('follows the ticks of its own channel', async () => {
    open('/invest-v2/gold');
    await screen.findByText('187,500원, 0.81% 상승');
    expect(tickStore.watched().get('/commodity/realData')).toEqual(new Set(['04020000', 'WTI']));
    tickStore.apply([{ ...tickFromItem(goldBar), seq: 11, price: 188_000 }]);
    expect(await screen.findByText('188,000원, 1.08% 상승')).toBeInTheDocument();
  });

  it('reports the market as closed instead of looking broken', async () => {
    setConnection({ status: 'live', lastTickAtMs: 1, openMarkets: { KRX: true, GOLD: false } });
    open('/invest-v2/gold');
    expect(await screen.findByText('장 마감')).toBeInTheDocument();
    expect(screen.queryByText('실시간')).toBeNull();
  });

  it('keeps the rows when only the exchange rate fails', async () => {
    server.use(http.get('*/api/v1/commodity/get-exchange-rate', () => problem(422, 9007, 'UNAVAILABLE'), { once: true }));
    const { user } = open('/invest-v2/gold');
    expect(await screen.findByRole('link', { name: goldBar.isuKorNm })).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: '다시 시도' }));
    expect(await screen.findByText('1,400.5원')).toBeInTheDocument();
  });

  it('offers to sign in below the member\'s chips', async () => {
    const { user } = open('/invest-v2/gold');
    await user.click(await screen.findByRole('tab', { name: '관심' }));
    expect(await screen.findByText('로그인하면 관심 종목에 담을 수 있어요')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: '로그인하기' })).toHaveAttribute('href', '/login?next=%2Finvest-v2%2Fgold%3Ftab%3Dliked');
  });

  it('shows a member\'s holdings', async () => {
    startSession({ accessToken: 'token', memberSid: MEMBER_SID });
    server.use(
      http.get('*/api/v1/commodity/member/:sid', () =>
        HttpResponse.json([{ ...holding, isuSrtCd: '04020000', isuKorNm: goldBar.isuKorNm, marketCode: 'GOLD' }]),
      ),
    );
    open('/invest-v2/gold?tab=held');
    expect(await screen.findByRole('link', { name: /금 99\.99_1Kg/ })).toHaveAttribute('href', '/invest-v2/gold/04020000');
  });
});

describe('the gold detail', () => {
  it('shows the price per gram, and the comparison with international gold', async () => {
    const { container } = open('/invest-v2/gold/04020000');
    expect(await screen.findByRole('heading', { level: 1, name: goldBar.isuKorNm })).toBeInTheDocument();
    expect(screen.getByText('1,000g')).toBeInTheDocument();
    const comparison = await screen.findByRole('region', { name: '국제 금값과 비교' });
    expect(comparison).toHaveTextContent('국내 금값 (1g)187,500원국제 금값 (1g)186,530원국제 금값 (1온스)$4,142.70원/달러1,400.5원괴리율+0.52%');
    expect(screen.getByRole('button', { name: '구매하기' })).toBeInTheDocument();
    expect(screen.getByRole('button', { name: `${goldBar.isuKorNm} 관심 종목에 추가` })).toBeInTheDocument();
    expect(await axeViolations(container)).toEqual([]);
  });

  it('requests its chart by period and scrolls into the past', async () => {
    const asked: unknown[] = [];
    server.use(
      http.post('*/api/v1/commodity/commodity_chart', async ({ request }) => {
        const body = (await request.json()) as { targetDate?: string };
        asked.push(body);
        const candles = body.targetDate
          ? []
          : [{ date: '2026-11-20T00:00:00+09:00', open: 1, high: 1, low: 1, close: 1, volume: 1 }];
        return HttpResponse.json({ isuSrtCd: '04020000', candleType: 'DAY', candles });
      }),
    );
    const { user } = open('/invest-v2/gold/04020000');
    await user.click(await screen.findByRole('button', { name: /1일 차트/ }));
    await waitFor(() =>
      expect(asked).toEqual([
        { isuSrtCd: '04020000', type: 'DAY' },
        { isuSrtCd: '04020000', type: 'DAY', targetDate: '2026-11-20T00:00:00+09:00' },
      ]),
    );
  });

  it('of international gold cannot be traded', async () => {
    open('/invest-v2/gold/WTI');
    expect(await screen.findByText('시세만 보기')).toBeInTheDocument();
    expect(screen.getByText('시세만 볼 수 있고 사고팔 수는 없어요')).toBeInTheDocument();
    expect(screen.getByText('기준 환율')).toBeInTheDocument();
    expect(screen.queryByText(/적용 환율/)).toBeNull();
    expect(screen.queryByRole('button', { name: '구매하기' })).toBeNull();
    expect(screen.queryByRole('region', { name: '국제 금값과 비교' })).toBeNull();
  });
});
