import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import type { Category } from '@/shared/api/assets';
import type { CandleType, Item } from '@/shared/api/types';
import { connectionState, useResumes } from '@/shared/realtime/connection';
import type { Tick } from '@/shared/realtime/tick';
import { useLiveQuote } from '@/shared/realtime/useTick';
import { axisTime, type Bar, barsFrom } from '@/shared/ui/chart/bars';
import { applyTick, type LiveBars, mergeLoadedBars, NO_LIVE_BARS } from '@/shared/ui/chart/liveBars';
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
import { closes, downsampled, type LinePoint } from '@/shared/ui/chart/downsample';
import { candlesQuery } from './marketQueries';

/** The style of a chart: a line, or candles of a chosen interval (null for the period's own). */
export type Look = { kind: 'line' } | { kind: 'candle'; choice: Choice | null };

interface ChartBars {
  /** The server's candles continued by ticks. */
  source: readonly Bar[];
  /** The drawn bars, oldest first. */
  bars: readonly Bar[];
  /** The newest drawn bar, updated by ticks; null before the first update. */
  live: Bar | null;
  /** Null for candles. */
  line: readonly LinePoint[] | null;
  interval: Interval;
  /** The first bar of the period; earlier ones have been loaded by scrolling. */
  periodFrom: number;
  quote: Tick;
  isPending: boolean;
  isError: boolean;
  refetch: () => void;
  /** Undefined when there is nothing older, or it is loading. */
  fetchOlder: (() => void) | undefined;
}

/** The server writes a day's first candle a few seconds after its first trade. */
const NEW_DAY_MS = 5_000;

/** The live bars of an instrument's chart. */
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
  const liveBars = useLiveBars(`${item.isuSrtCd}-${wanted.type}`, server, quote, intervalSeconds(native));
  const refetch = () => void query.refetch();
  useBackfill(refetch, liveBars.isDayOver);

  const isShort = data !== undefined && data.pages < wanted.pages && hasNextPage;
  useEffect(() => {
    if (isShort && !isFetching) void fetchNextPage();
  }, [isShort, isFetching, fetchNextPage]);

  const start = data?.start === undefined ? null : axisTime(data.start);
  const source = liveBars.bars;
  const count = start === null ? 0 : source.length - indexFrom(source, start);
  const isLine = look.kind === 'line';
  const interval = isLine ? lineInterval(period, count) : candleInterval(period, choice, count);
  const isNative = interval === native;
  const isCut = !isLine && hasNextPage;
  const bars = useMemo(() => (isNative ? source : aggregate(source, interval, isCut)), [source, interval, isNative, isCut]);
  const live = useMemo(
    () => (isNative ? liveBars.live : aggregateLive(source, liveBars.live, interval)),
    [source, liveBars.live, interval, isNative],
  );
  const line = useMemo(() => {
    if (!isLine) return null;
    return isNative ? closes(source) : downsampled(source, interval);
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

/** Loaded bars continued by ticks. */
function useLiveBars(key: string, server: readonly Bar[], quote: Tick, seconds: number | null): LiveBars {
  const last = useRef({ key, liveBars: NO_LIVE_BARS });
  return useMemo(() => {
    const before = last.current.key === key ? last.current.liveBars : NO_LIVE_BARS;
    const liveBars = applyTick(before.server === server ? before : mergeLoadedBars(before, server), quote, seconds);
    last.current = { key, liveBars };
    return liveBars;
  }, [key, server, quote, seconds]);
}

/** Whether the query may refetch by itself: resumed live prices refetch later, and then miss less. */
function hasNoBackfill({ state }: { state: { data: unknown } }): boolean {
  return state.data === undefined || connectionState().status === 'lost';
}

/** Refetches the history after an interruption of live prices, and when a new day has begun. */
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
