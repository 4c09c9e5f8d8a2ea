import type { Bar } from './bars';
import { type Interval, intervalStart } from './intervals';

/** A point of a line, in the place of the interval it stands for. */
export interface LinePoint {
  time: number;
  value: number;
  /** When the bar began whose close this is. */
  at: number;
}

/** The closes of bars as they are. */
export function closes(bars: readonly Bar[]): LinePoint[] {
  return bars.map(({ time, close }) => ({ time, value: close, at: time }));
}

/**
 * One close for each interval, by largest triangles (LTTB). Every point is a close of its own interval, so the line is never
 * further from a close than the closes of that interval are apart, and never late by more than the interval. It begins with the
 * first close and ends with the last; the highest and the lowest close between the first and the last interval are kept.
 */
export function thinned(bars: readonly Bar[], interval: Interval): LinePoint[] {
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

/** Which bar stands out most between the point before and the middle of what follows. */
function largestTriangle(before: LinePoint, members: readonly Bar[], next: readonly Bar[]): Bar | undefined {
  const middle = (of: (bar: Bar) => number) => next.reduce((sum, bar) => sum + of(bar), 0) / next.length;
  const time = middle((bar) => bar.time);
  const value = middle((bar) => bar.close);
  const area = (bar: Bar) => Math.abs((before.at - time) * (bar.close - before.value) - (before.at - bar.time) * (value - before.value));
  return members.reduce<Bar | undefined>((best, bar) => (best && area(best) >= area(bar) ? best : bar), undefined);
}
