import type { Candle } from '@/shared/api/types';
import { kstDateTime, parseServerTime, two } from '@/shared/format/kst';
import type { Tick } from '@/shared/realtime/tick';
import { axis } from './copy';

/** A candle for the canvas. Its time is in axis seconds: Korean wall time as if it were UTC. */
export interface Bar {
  time: number;
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
}

const KST_OFFSET_S = 9 * 60 * 60;

/** Candles as bars in ascending order, without unreadable and repeated times, which the canvas rejects. */
export function barsFrom(candles: readonly Candle[]): Bar[] {
  const bars: Bar[] = [];
  for (const { date, open, high, low, close, volume } of candles) {
    const time = axisTime(date);
    const last = bars.at(-1);
    if (time !== null && (!last || time > last.time)) bars.push({ time, open, high, low, close, volume });
  }
  return bars;
}

/** The simple moving average of the closes; the first bars have none. */
export function movingAverage(bars: readonly Bar[], count: number): { time: number; value: number }[] {
  const averages: { time: number; value: number }[] = [];
  let sum = 0;
  bars.forEach((bar, index) => {
    sum += bar.close;
    const left = bars[index - count];
    if (left) sum -= left.close;
    if (index >= count - 1) averages.push({ time: bar.time, value: sum / count });
  });
  return averages;
}

/** The time of a bar in words: with the clock for intraday bars, the day alone for others. */
export function barTimeText(time: number, isDaily: boolean): string {
  const text = kstDateTime(new Date((time - KST_OFFSET_S) * 1000));
  return isDaily ? text.slice(0, 10) : text.slice(5);
}

/** A mark of the time axis: only the unit that changes there. */
export function axisMark(time: number, unit: 'year' | 'month' | 'day' | 'time'): string {
  const at = new Date(time * 1000);
  switch (unit) {
    case 'year':
      return axis.year(at.getUTCFullYear());
    case 'month':
      return axis.month(at.getUTCMonth() + 1);
    case 'day':
      return axis.day(at.getUTCDate());
    case 'time':
      return `${two(at.getUTCHours())}:${two(at.getUTCMinutes())}`;
  }
}

/** The axis time of a tick; null when unknown. */
export function tickAxisTime({ date, time }: Tick): number | null {
  if (!/^\d{8}$/.test(date) || !/^\d{6}$/.test(time)) return null;
  const [hour, minute, second] = [time.slice(0, 2), time.slice(2, 4), time.slice(4)].map(Number) as [number, number, number];
  return axisTime(`${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}T${two(hour)}:${two(minute)}:${two(second)}`);
}

/** The axis time of a server date; null when unreadable. */
export function axisTime(date: string): number | null {
  const at = parseServerTime(date);
  return at === null ? null : Math.floor(at.getTime() / 1000) + KST_OFFSET_S;
}
