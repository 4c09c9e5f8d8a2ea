import type { EquityBenchmark, EquityPoint } from '@/shared/api/types';

/** The drawing is stretched to the width it gets; only proportions count. */
export const WIDTH = 100;
export const HEIGHT = 100;
/** Room above the highest and below the lowest value, as a share of the height. */
const PADDING = 0.08;

interface Scale {
  top: number;
  bottom: number;
  days: number;
}

/** The scale that shows all of these values; a line that never moves lies in the middle. */
export function scaleOf(lines: readonly (readonly number[])[]): Scale {
  const values = lines.flat();
  const top = Math.max(...values);
  const bottom = Math.min(...values);
  const room = (top - bottom) * PADDING || Math.max(Math.abs(top) * PADDING, 1);
  return { top: top + room, bottom: bottom - room, days: Math.max(...lines.map((line) => line.length)) };
}

export function xOf(index: number, { days }: Scale): number {
  return days < 2 ? 0 : (index / (days - 1)) * WIDTH;
}

export function yOf(value: number, { top, bottom }: Scale): number {
  return ((top - value) / (top - bottom)) * HEIGHT;
}

/** The path of one value a day. */
export function pathOf(values: readonly number[], scale: Scale): string {
  return values.map((value, index) => `${index === 0 ? 'M' : 'L'}${short(xOf(index, scale))} ${short(yOf(value, scale))}`).join('');
}

/** The day under a place in the drawing, from 0 at the left to 1 at the right. */
export function dayAt(share: number, days: number): number {
  return Math.min(Math.max(Math.round(share * (days - 1)), 0), days - 1);
}

/**
 * An index as won: what the equity of the first day would have become in it. A day without a value, as a holiday, is as the day
 * before. Undefined when nothing is known of the first day.
 */
export function wonOfIndex({ points: values }: EquityBenchmark, points: readonly EquityPoint[]): number[] | undefined {
  const [first] = points;
  if (!first) return undefined;
  const start = values.findLast(({ date }) => date <= first.date)?.value;
  if (!start) return undefined;
  let next = 0;
  let value = start;
  return points.map(({ date }) => {
    for (let close = values[next]; close !== undefined && close.date <= date; close = values[next]) {
      value = close.value;
      next += 1;
    }
    return Math.round((first.equity * value) / start);
  });
}

/** The places of the highest and the lowest value, the first of several. */
export function extremes(values: readonly number[]): { highest: number; lowest: number } {
  return { highest: values.indexOf(Math.max(...values)), lowest: values.indexOf(Math.min(...values)) };
}

function short(value: number): string {
  return String(Math.round(value * 100) / 100);
}
