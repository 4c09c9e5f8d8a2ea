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
import { renderApp } from '@/testing/renderApp';
import { server } from '@/testing/server';
import { holding, MEMBER_SID, samsung, waitingOrder } from '@/testing/wireSamples';
import StockDetailRoute from './StockDetailRoute';

// The canvas needs a browser; its input and what it reports are tested here.
vi.mock('@/shared/ui/chart/LightChart', () => ({
  default: ({ label, bars, line, tone, references, studies, onRead, onNeedOlder }: LightChartProps) => (
    <>
      <div
        role="img"
        aria-label={label}
        data-bars={bars.length}
        data-points={line?.length}
        data-tone={tone}
        data-volume={studies?.volume}
        data-references={references.map(({ kind, price, text }) => `${kind} ${price} ${text}`).join(', ')}
      />
      <button type="button" onClick={() => onRead?.({ time: bars[0]?.time ?? 0, price: 70_200 })}>
        press
      </button>
      <button type="button" onClick={() => onRead?.(null)}>
        lift
      </button>
      <button type="button" onClick={onNeedOlder}>
        older
      </button>
    </>
  ),
}));

const MINUTES = 500;
const START_MS = Date.parse('2026-11-21T04:40:00+09:00');
const kst = (ms: number) => `${new Date(ms + 9 * 3_600_000).toISOString().slice(0, 19)}+09:00`;
const minutes = (count: number, fromMs = START_MS) =>
  Array.from({ length: count }, (_, index) => ({
    date: kst(fromMs + index * 60_000),
    open: 70_000,
    high: index === 123 ? 72_300 : 71_400,
    low: index === 321 ? 68_100 : 69_900,
    close: 71_300,
    volume: 10,
  }));
const days = ['2026-09-01', '2026-10-05', '2026-11-20'].map((date) => ({ date, open: 60_000, high: 73_000, low: 59_000, close: 71_300, volume: 9 }));

let asked: URL[] = [];
beforeEach(() => {
  tickStore.clear();
  asked = [];
  server.use(
    http.get('*/api/v1/stock/real/code/005930', () => HttpResponse.json(samsung)),
    http.get('*/api/v1/global-stock/get-chart-data-type/005930', ({ request }) => {
      const url = new URL(request.url);
      asked.push(url);
      const candleType = url.searchParams.get('candleType');
      const older = url.searchParams.has('to') ? minutes(60, START_MS - 3_600_000) : minutes(MINUTES);
      return HttpResponse.json({ isuSrtCd: '005930', candleType, candles: candleType === 'DAY' ? older : days });
    }),
    http.get('*/api/v1/stock/detail/get-stock-company-outline', () => HttpResponse.json({}, { status: 404 })),
    http.get('*/api/v1/stock/member/:sid/code/005930', () => HttpResponse.json([])),
    http.get('*/api/v1/stock/wait/member/:sid/code/005930', () => HttpResponse.json([])),
  );
});
afterEach(() => {
  vi.useRealTimers();
  endSession('logout');
  setConnection({ status: 'idle', resumes: 0 });
});

const open = () =>
  renderApp(
    <Routes>
      <Route path="/invest-v2/stock/:code" element={<StockDetailRoute />} />
    </Routes>,
    { at: '/invest-v2/stock/005930' },
  );
const picture = () => screen.findByRole('img', { name: /^삼성전자 .* 차트/ });

describe('the chart of a detail', () => {
  it('is a line of five-minute points on a long day, and shows the high and low of the trades', async () => {
    open();
    expect(await picture()).toHaveAttribute('data-points', '100');
    expect(await picture()).toHaveAttribute('data-bars', '100');
    expect(await picture()).toHaveAccessibleName('삼성전자 1일 차트. 시작 70,000원, 현재 71,300원, 최고 72,300원, 최저 68,100원');
    expect(await picture()).not.toHaveAttribute('data-volume');
  });

  it('has candles of each interval, and switches to a period that has it', async () => {
    const { user, container } = open();
    await picture();
    expect(screen.queryByRole('group', { name: '봉 하나의 시간' })).toBeNull();
    await user.click(screen.getByRole('button', { name: '봉 차트로 보기' }));
    const intervals = within(screen.getByRole('group', { name: '봉 하나의 시간' }));
    expect(intervals.getAllByRole('button').map((button) => button.textContent)).toEqual(['1분', '5분', '30분', '일', '주', '월']);
    expect(intervals.getByRole('button', { name: '5분' })).toHaveAttribute('aria-pressed', 'true');
    expect(await picture()).toHaveAttribute('data-bars', '100');
    expect(await picture()).not.toHaveAttribute('data-points');
    expect(await picture()).toHaveAttribute('data-volume', 'true');
    expect(await axeViolations(container)).toEqual([]);

    await user.click(intervals.getByRole('button', { name: '1분' }));
    expect(await picture()).toHaveAttribute('data-bars', '500');
    await user.click(intervals.getByRole('button', { name: '30분' }));
    expect(await picture()).toHaveAttribute('data-bars', '16');
    await user.click(intervals.getByRole('button', { name: '일' }));
    expect(await screen.findByRole('tab', { name: '3개월' })).toHaveAttribute('aria-selected', 'true');
    await screen.findByRole('img', { name: /^삼성전자 3개월 차트/ });
    expect(await picture()).toHaveAttribute('data-bars', '3');
    await user.click(intervals.getByRole('button', { name: '월' }));
    await screen.findByRole('img', { name: /^삼성전자 5년 차트/ });
    expect(asked.filter(({ searchParams }) => searchParams.get('candleType') === 'YEAR').length).toBeGreaterThan(0);
  });

  it('requests older bars only when somebody scrolls there, and keeps the extremes of the period', async () => {
    const { user } = open();
    await picture();
    expect(asked.map(({ searchParams }) => searchParams.get('to'))).toEqual([null]);
    await user.click(screen.getByRole('button', { name: 'older' }));
    await waitFor(async () => expect(await picture()).toHaveAttribute('data-bars', '112'));
    expect(asked.at(-1)?.searchParams.get('to')).toBe('2026-11-21T04:40:00+09:00');
    expect(await picture()).toHaveAccessibleName(/시작 70,000원, 현재 71,300원, 최고 72,300원, 최저 68,100원$/);
  });

  it('is refetched once after an interruption: when live prices resume, and not when the network does', async () => {
    setConnection({ status: 'live', resumes: 1 });
    open();
    await picture();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 });
    act(() => {
      setConnection({ status: 'reconnecting' });
      window.dispatchEvent(new Event('offline'));
      window.dispatchEvent(new Event('online'));
    });
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(asked).toHaveLength(1);
    act(() => setConnection({ status: 'live', resumes: 2 }));
    await waitFor(() => expect(asked).toHaveLength(2));
  });

  it('keeps every bar that live prices have started', async () => {
    const { user } = open();
    await picture();
    await user.click(screen.getByRole('button', { name: '봉 차트로 보기' }));
    await user.click(screen.getByRole('button', { name: '1분' }));
    const tick = tickFromItem(samsung);
    for (const minute of [1, 2, 3]) {
      tickStore.apply([{ ...tick, seq: tick.seq + minute, price: 71_300 + minute, time: `130${minute}00` }]);
      await screen.findByRole('img', { name: new RegExp(`현재 71,30${minute}원`) });
    }
    // The newest bar is live and not counted here.
    expect(await picture()).toHaveAttribute('data-bars', String(MINUTES + 3));
  });
});

describe('the price above the chart', () => {
  it('follows the period with its change and the chart with its colour', async () => {
    const { user } = open();
    expect(await picture()).toHaveAttribute('data-tone', 'up');
    expect(screen.getByText('전일보다')).toBeInTheDocument();
    await user.click(screen.getByRole('tab', { name: '3개월' }));
    expect(await screen.findByText('3개월 전보다')).toBeInTheDocument();
    expect(screen.getByText('3개월 전보다 71,300원, 18.83% 상승')).toBeInTheDocument();
    expect(screen.queryByText('전일보다')).toBeNull();
    tickStore.apply([{ ...tickFromItem(samsung), seq: 99, price: 54_000 }]);
    expect(await screen.findByText('3개월 전보다 54,000원, 10% 하락')).toBeInTheDocument();
    expect(await picture()).toHaveAttribute('data-tone', 'down');
  });

  it('is the one under the finger until it is lifted', async () => {
    const { user } = open();
    await picture();
    const big = () => screen.getByText('전일보다').closest('section')?.textContent;
    expect(big()).toContain('71,300원');
    await user.click(screen.getByRole('button', { name: 'press' }));
    expect(big()).toContain('70,200원');
    expect(screen.getByText('71,300원, 1.57% 상승')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'lift' }));
    expect(big()).not.toContain('70,200원');
  });
});

describe('the lines of a chart', () => {
  it('are the previous close of a day, and for members their average price and waiting orders', async () => {
    startSession({ accessToken: 'token', memberSid: MEMBER_SID });
    server.use(
      http.get('*/api/v1/stock/member/:sid/code/005930', () => HttpResponse.json([{ ...holding, juQty: 10, juPrc: 69_000, totalJuPrc: 690_000 }])),
      http.get('*/api/v1/stock/wait/member/:sid/code/005930', () =>
        HttpResponse.json([waitingOrder, { ...waitingOrder, orderSid: 502 }, { ...waitingOrder, orderSid: 503, side: 'SELL', juPrc: 75_000 }]),
      ),
    );
    const { user } = open();
    await waitFor(async () =>
      expect(await picture()).toHaveAttribute(
        'data-references',
        'previousClose 70200 전일 종가, average 69000 내 평균, buy 70000 구매 대기 70,000원, sell 75000 판매 대기 75,000원',
      ),
    );
    await user.click(screen.getByRole('tab', { name: '1년' }));
    await screen.findByRole('img', { name: /^삼성전자 1년 차트/ });
    expect((await picture()).getAttribute('data-references')).not.toContain('previousClose');
  });
});
