import type { Sparkline } from '@/shared/api/types';

export const WIDTH = 48;
export const HEIGHT = 20;
/** Half a stroke and a little, so that no peak is cut off. */
const EDGE = 1.5;

interface SparklineShape {
  /** The points of an SVG polyline. */
  points: string;
  /** The y of the previous close. */
  baseline: number;
}

/** The day's prices from left to right, with the previous close always in view; without prices the close alone. */
export function sparklineShape({ prices, prevDdPrc }: Sparkline): SparklineShape {
  if (prices.length < 2 || prevDdPrc === null || prevDdPrc === undefined) return { points: '', baseline: HEIGHT / 2 };
  const high = Math.max(prevDdPrc, ...prices);
  const low = Math.min(prevDdPrc, ...prices);
  const step = WIDTH / (prices.length - 1);
  const heightOf = (price: number): number =>
    tenths(high === low ? HEIGHT / 2 : EDGE + ((high - price) / (high - low)) * (HEIGHT - 2 * EDGE));
  return {
    points: prices.map((price, index) => `${tenths(index * step)},${heightOf(price)}`).join(' '),
    baseline: heightOf(prevDdPrc),
  };
}

function tenths(value: number): number {
  return Math.round(value * 10) / 10;
}
