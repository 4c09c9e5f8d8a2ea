import type { Bar } from './bars';

/** The bars in view, by index; whole numbers are the middle of a bar. */
interface Range {
  from: number;
  to: number;
}

/** The maximum of candles on one screen. */
const MAX_CANDLES = 120;
/** Narrower candles are hairlines, wider ones are blocks. */
const CANDLE_PX = { least: 4.5, most: 24 };
/** A line of fewer points does not fill the width. */
const LINE_POINTS = 30;
const MIN_SHARE = 0.25;

/** How many candles are shown at first, and the maximum when zooming out. */
export function candlesAcross(width: number): number {
  return Math.min(MAX_CANDLES, Math.max(1, Math.floor(width / CANDLE_PX.least)));
}

/**
 * The part of the width for so few bars: a day that has just begun grows from the left instead of filling the width with
 * blocks.
 */
export function shareOfWidth(count: number, width: number, isLine: boolean): number {
  const full = isLine ? LINE_POINTS : width / CANDLE_PX.most;
  return Math.min(1, Math.max(MIN_SHARE, count / full));
}

/** The initial range: a line's whole period, or as many of the newest candles as fit. */
export function firstRange(count: number, periodFrom: number, width: number, isLine: boolean): Range {
  const to = count - 1;
  return { from: Math.max(0, isLine ? periodFrom : to - candlesAcross(width) + 1), to };
}

/** The range after the bars have changed: the same bars, and the newest one if it was in view. Null for entirely different bars. */
export function keptRange(range: Range, before: readonly Bar[], bars: readonly Bar[], isLine: boolean): Range | null {
  const [first] = before;
  const added = first ? bars.findIndex(({ time }) => time === first.time) : -1;
  if (added < 0) return null;
  const grown = bars.length - added - before.length;
  const follows = range.to >= before.length - 1.5;
  const shift = follows ? added + grown : added;
  // A line that shows its start keeps showing it while it grows.
  const keepsStart = isLine && follows;
  return { from: range.from + (keepsStart ? added : shift), to: range.to + shift };
}

/** Limits the range to so many candles at the same right edge; null when it already fits. */
export function narrowed({ from, to }: Range, most: number): Range | null {
  return to - from + 1 > most + 0.5 ? { from: to - most + 1, to } : null;
}

/** The bars whose middle is in view. */
export function inView<B extends Bar>(bars: readonly B[], { from, to }: Range): readonly B[] {
  return bars.slice(Math.max(0, Math.ceil(from)), Math.max(0, Math.floor(to) + 1));
}

/** The highest and the lowest traded price among bars; the earlier bar when two are equal. */
export function extremes(bars: readonly Bar[]): { highest: Bar; lowest: Bar } | null {
  let [highest] = bars;
  let lowest = highest;
  if (!highest || !lowest) return null;
  for (const bar of bars) {
    if (bar.high > highest.high) highest = bar;
    if (bar.low < lowest.low) lowest = bar;
  }
  return { highest, lowest };
}
