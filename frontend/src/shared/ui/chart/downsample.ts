import type { Bar } from './bars';
import { type Interval, intervalStart } from './intervals';

/** A point of a line, at the position of its interval. */
export interface LinePoint {
  time: number;
  value: number;
  /** The start of the bar whose close this is. */
  at: number;
}

/** The closes of all bars. */
export function closes(bars: readonly Bar[]): LinePoint[] {
  return bars.map(({ time, close }) => ({ time, value: close, at: time }));
}

/**
 * One close per interval, by largest triangles (LTTB). Every point is a close of its own interval, so the line deviates by no
 * more than the spread of that interval. The first and the last close are kept, and so are the highest and the lowest between
 * the first and the last interval.
 */
export function downsampled(bars: readonly Bar[], interval: Interval): LinePoint[] {
  const groups = grouped(bars, interval);
  const inner = groups.slice(1, -1).flatMap(({ members }) => members);
  const kept = new Set([
    inner.reduce<Bar | undefined>((best, bar) => (best && best.close >= bar.close ? best : bar), undefined),
    inner.reduce<Bar | undefined>((best, bar) => (best && best.close <= bar.close ? best : bar), undefined),
  ]);
  const points: LinePoint[] = [];
  groups.forEach(({ time, members }, index) => {
    const before = points.at(-1);
    const next = groups[index + 1]?.members;
    const picked = !next ? members.at(-1) : !before ? members[0] : (members.find((bar) => kept.has(bar)) ?? largestTriangle(before, members, next));
    if (picked) points.push({ time, value: picked.close, at: picked.time });
  });
  return points;
}

interface Group {
  time: number;
  members: Bar[];
}

function grouped(bars: readonly Bar[], interval: Interval): Group[] {
  const groups: Group[] = [];
  for (const bar of bars) {
    const time = intervalStart(bar.time, interval);
    const last = groups.at(-1);
    if (last?.time === time) last.members.push(bar);
    else groups.push({ time, members: [bar] });
  }
  return groups;
}

/** The bar with the largest triangle between the previous point and the average of the next interval. */
function largestTriangle(before: LinePoint, members: readonly Bar[], next: readonly Bar[]): Bar | undefined {
  const middle = (of: (bar: Bar) => number) => next.reduce((sum, bar) => sum + of(bar), 0) / next.length;
  const time = middle((bar) => bar.time);
  const value = middle((bar) => bar.close);
  const area = (bar: Bar) => Math.abs((before.at - time) * (bar.close - before.value) - (before.at - bar.time) * (value - before.value));
  return members.reduce<Bar | undefined>((best, bar) => (best && area(best) >= area(bar) ? best : bar), undefined);
}
