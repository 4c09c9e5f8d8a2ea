import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import type { Category } from '@/shared/api/queryKeys';
import type { CandleType, Item } from '@/shared/api/types';
import { connectionState, useResumes } from '@/shared/realtime/connection';
import type { Tick } from '@/shared/realtime/tick';
import { useLiveQuote } from '@/shared/realtime/useTick';
import { axisTime, type Bar, barsFrom } from '@/shared/ui/chart/bars';
import { adopt, type Growth, grow, NO_GROWTH } from '@/shared/ui/chart/growth';
import {
  aggregate,
  aggregateLive,
  candleInterval,
  type Choice,
  type Interval,
  intervalSeconds,
  intervalStart,
  lineInterval,
  sourceInterval,
  sourceOf,
} from '@/shared/ui/chart/intervals';
import { closes, type LinePoint, thinned } from '@/shared/ui/chart/thinning';
import { candlesQuery } from './marketQueries';

/** How a period is looked at: as a line, or as candles of an interval that was chosen (null = the period's own). */
export type Look = { kind: 'line' } | { kind: 'candle'; choice: Choice | null };

export interface ChartBars {
  /** Candles as the server sends them and ticks go on with them. */
  source: readonly Bar[];
  /** What is drawn, oldest first. */
  bars: readonly Bar[];
  /** The newest drawn bar as ticks change it; null before the first change. */
  live: Bar | null;
  /** Null for candles. */
  line: readonly LinePoint[] | null;
  interval: Interval;
  /** The first bar of the period itself; earlier ones have been scrolled in. */
  periodFrom: number;
  quote: Tick;
  isPending: boolean;
  isError: boolean;
  refetch: () => void;
  /** Undefined when there is nothing older, or it is on its way. */
  fetchOlder: (() => void) | undefined;
}

/** The server writes a day's first candle a few seconds after its first trade. */
const NEW_DAY_MS = 5_000;

/** The bars of an instrument's chart, live. */
export function useChartBars(item: Item, category: Category, period: CandleType, look: Look): ChartBars {
  const choice = look.kind === 'candle' ? look.choice : null;
  const wanted = sourceOf(period, choice);
  const query = useInfiniteQuery({
    ...candlesQuery(category, item.isuSrtCd, wanted.type, wanted.pages),
    refetchOnReconnect: hasNoBackfill,
    refetchOnWindowFocus: hasNoBackfill,
  });
  const { data, hasNextPage, isFetching, fetchNextPage } = query;
  const server = useMemo(() => barsFrom(data?.candles ?? []), [data]);
  const quote = useLiveQuote(item);
  const native = sourceInterval(wanted.type);
  const growth = useGrowth(`${item.isuSrtCd}-${wanted.type}`, server, quote, intervalSeconds(native));
  const refetch = () => void query.refetch();
  useBackfill(refetch, growth.isDayOver);

  const isShort = data !== undefined && data.pages < wanted.pages && hasNextPage;
  useEffect(() => {
    if (isShort && !isFetching) void fetchNextPage();
  }, [isShort, isFetching, fetchNextPage]);

  const start = data?.start === undefined ? null : axisTime(data.start);
  const source = growth.bars;
  const count = start === null ? 0 : source.length - indexFrom(source, start);
  const isLine = look.kind === 'line';
  const interval = isLine ? lineInterval(period, count) : candleInterval(period, choice, count);
  const isNative = interval === native;
  const isCut = !isLine && hasNextPage;
  const bars = useMemo(() => (isNative ? source : aggregate(source, interval, isCut)), [source, interval, isNative, isCut]);
  const live = useMemo(
    () => (isNative ? growth.live : aggregateLive(source, growth.live, interval)),
    [source, growth.live, interval, isNative],
  );
  const line = useMemo(() => {
    if (!isLine) return null;
    return isNative ? closes(source) : thinned(source, interval);
  }, [isLine, isNative, source, interval]);

  return {
    source,
    bars,
    live,
    line,
    interval,
    periodFrom: start === null ? 0 : indexFrom(bars, isNative ? start : intervalStart(start, interval)),
    quote,
    isPending: query.isPending,
    isError: query.isError,
    refetch,
    fetchOlder: hasNextPage && !isFetching ? () => void fetchNextPage() : undefined,
  };
}

/** Loaded bars and what live prices make of them. */
function useGrowth(key: string, server: readonly Bar[], quote: Tick, seconds: number | null): Growth {
  const held = useRef({ key, growth: NO_GROWTH });
  return useMemo(() => {
    const before = held.current.key === key ? held.current.growth : NO_GROWTH;
    const growth = grow(before.server === server ? before : adopt(before, server), quote, seconds);
    held.current = { key, growth };
    return growth;
  }, [key, server, quote, seconds]);
}

/** Whether the library has to read the history: live prices that go on have it read later, and so with less missing. */
function hasNoBackfill({ state }: { state: { data: unknown } }): boolean {
  return state.data === undefined || connectionState().status === 'lost';
}

/** After a pause of the live prices, and when a new day has begun, the history is read anew. */
function useBackfill(refetch: () => void, isDayOver: boolean): void {
  const resumes = useResumes();
  const seen = useRef(resumes);
  const latest = useRef(refetch);
  useEffect(() => {
    latest.current = refetch;
  });
  useEffect(() => {
    if (resumes > seen.current && seen.current > 0) latest.current();
    seen.current = resumes;
  }, [resumes]);
  useEffect(() => {
    if (!isDayOver) return;
    const timer = setTimeout(() => latest.current(), NEW_DAY_MS);
    return () => clearTimeout(timer);
  }, [isDayOver]);
}

function indexFrom(bars: readonly Bar[], time: number): number {
  const found = bars.findIndex((bar) => bar.time >= time);
  return found < 0 ? bars.length : found;
}
