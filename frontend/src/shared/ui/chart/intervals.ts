import type { CandleType } from '@/shared/api/types';
import type { Bar } from './bars';

/** The duration of a candle. */
export type Interval = 'MINUTE_1' | 'MINUTE_5' | 'MINUTE_10' | 'MINUTE_30' | 'DAY' | 'WEEK' | 'MONTH';

/** Intervals to choose from; ten minutes are only used for a week's line. */
export const CHOICES = ['MINUTE_1', 'MINUTE_5', 'MINUTE_30', 'DAY', 'WEEK', 'MONTH'] as const;
export type Choice = (typeof CHOICES)[number];

const DAY_S = 24 * 60 * 60;
const WEEK_S = 7 * DAY_S;
/** The axis counts from a Thursday; weeks begin on Mondays. */
const FIRST_MONDAY_S = 4 * DAY_S;

const MINUTES_S: Partial<Record<Interval, number>> = { MINUTE_1: 60, MINUTE_5: 300, MINUTE_10: 600, MINUTE_30: 1_800 };

/** More candles are too narrow for a phone, even as a line. */
const MAX_POINTS = 400;

/** The interval of the server's candles by period. */
const SOURCE: Record<CandleType, Interval> = {
  DAY: 'MINUTE_1',
  WEEKLY: 'MINUTE_10',
  THREE_MONTH: 'DAY',
  YEAR: 'DAY',
  FIVE_YEAR: 'WEEK',
};

const CHOICES_OF: Record<CandleType, readonly Choice[]> = {
  DAY: ['MINUTE_1', 'MINUTE_5', 'MINUTE_30'],
  WEEKLY: ['MINUTE_30'],
  THREE_MONTH: ['DAY', 'WEEK'],
  YEAR: ['DAY', 'WEEK', 'MONTH'],
  FIVE_YEAR: ['WEEK', 'MONTH'],
};

const PERIOD_OF: Record<Choice, CandleType> = {
  MINUTE_1: 'DAY',
  MINUTE_5: 'DAY',
  MINUTE_30: 'WEEKLY',
  DAY: 'THREE_MONTH',
  WEEK: 'YEAR',
  MONTH: 'FIVE_YEAR',
};

/** The candle type to request, and how many pages make up the period. */
interface CandleSource {
  type: CandleType;
  pages: number;
}

/** Weeks do not divide into months, so the months of five years are aggregated from daily candles. */
export function sourceOf(period: CandleType, choice: Choice | null): CandleSource {
  return period === 'FIVE_YEAR' && choice === 'MONTH' ? { type: 'YEAR', pages: 5 } : { type: period, pages: 1 };
}

/** The interval of a candle type as sent by the server. */
export function sourceInterval(type: CandleType): Interval {
  return SOURCE[type];
}

/** The interval of candles in a period: the chosen one if the period has it. */
export function candleInterval(period: CandleType, choice: Choice | null, count: number): Choice {
  const choices = CHOICES_OF[period];
  if (choice !== null && choices.includes(choice)) return choice;
  if (period === 'DAY' && count > MAX_POINTS) return 'MINUTE_5';
  return choices[0] as Choice;
}

/** The interval of a line's points: the server's while they fit. */
export function lineInterval(period: CandleType, count: number): Interval {
  if (count <= MAX_POINTS) return SOURCE[period];
  if (period === 'DAY') return 'MINUTE_5';
  return period === 'WEEKLY' ? 'MINUTE_30' : SOURCE[period];
}

/** The period for an interval: the current one if it has it. */
export function periodWith(choice: Choice, period: CandleType): CandleType {
  return CHOICES_OF[period].includes(choice) ? period : PERIOD_OF[choice];
}

/** Seconds of an intraday interval; null for calendar intervals, whose length varies. */
export function intervalSeconds(interval: Interval): number | null {
  return MINUTES_S[interval] ?? null;
}

/** The start of the interval around an axis time: by the clock, on Monday, or on the first of the month. */
export function intervalStart(time: number, interval: Interval): number {
  switch (interval) {
    case 'DAY':
      return time - (time % DAY_S);
    case 'WEEK':
      return time - ((time - FIRST_MONDAY_S) % WEEK_S);
    case 'MONTH': {
      const at = new Date(time * 1000);
      return Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1) / 1000;
    }
    case 'MINUTE_1':
    case 'MINUTE_5':
    case 'MINUTE_10':
    case 'MINUTE_30':
      return time - (time % (MINUTES_S[interval] ?? 60));
  }
}

/**
 * Aggregates bars to a longer interval. Intraday bars are named by the clock, weeks and months by their first trading day, as
 * on the server. With `isCut` older bars exist that are not loaded: an incomplete first interval is left out.
 */
export function aggregate(bars: readonly Bar[], interval: Interval, isCut: boolean): Bar[] {
  const merged: Bar[] = [];
  const [first] = bars;
  if (!first) return merged;
  const cutStart = isCut && intervalStart(first.time, interval) !== first.time ? intervalStart(first.time, interval) : null;
  let running: number | null = null;
  for (const bar of bars) {
    const start = intervalStart(bar.time, interval);
    if (start === cutStart) continue;
    const last = merged.at(-1);
    if (last && start === running) merged[merged.length - 1] = joined(last, bar);
    else merged.push(MINUTES_S[interval] === undefined ? bar : { ...bar, time: start });
    running = start;
  }
  return merged;
}

/** The aggregated bar of the live bar's interval. */
export function aggregateLive(bars: readonly Bar[], live: Bar | null, interval: Interval): Bar | null {
  if (!live) return null;
  const start = intervalStart(live.time, interval);
  let from = bars.length;
  while (from > 0 && (bars[from - 1]?.time ?? 0) >= start) from -= 1;
  const earlier = bars.slice(from).filter(({ time }) => time < live.time);
  return aggregate([...earlier, live], interval, false)[0] ?? null;
}

function joined(earlier: Bar, later: Bar): Bar {
  return {
    time: earlier.time,
    open: earlier.open,
    high: Math.max(earlier.high, later.high),
    low: Math.min(earlier.low, later.low),
    close: later.close,
    volume: earlier.volume + later.volume,
  };
}
