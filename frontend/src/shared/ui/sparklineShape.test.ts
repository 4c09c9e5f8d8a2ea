import { describe, expect, it } from 'vitest';
import { HEIGHT, sparklineShape, WIDTH } from './sparklineShape';

const shape = (prices: number[], prevDdPrc: number | null = 100) => sparklineShape({ isuSrtCd: '005930', prices, prevDdPrc });

describe('the shape of a sparkline', () => {
  it('spans the width and keeps the previous close in view', () => {
    expect(shape([110, 105, 120])).toEqual({ points: `0,10 24,14.3 ${WIDTH},1.5`, baseline: 18.5 });
    expect(shape([90, 80])).toEqual({ points: `0,10 ${WIDTH},18.5`, baseline: 1.5 });
  });

  it('is flat in the middle without a move', () => {
    expect(shape([100, 100])).toEqual({ points: `0,10 ${WIDTH},10`, baseline: 10 });
  });

  it('stays inside its box, whatever the prices', () => {
    const prices = Array.from({ length: 60 }, (_, index) => 1e12 + Math.sin(index) * 1e11);
    const ys = shape(prices, 0.00000001).points.split(' ').map((point) => Number(point.split(',')[1]));
    expect(ys).toHaveLength(60);
    expect(Math.min(...ys)).toBeGreaterThan(0);
    expect(Math.max(...ys)).toBeLessThan(HEIGHT);
  });

  it('is the previous close alone before the second price, and where no close is known', () => {
    const alone = { points: '', baseline: HEIGHT / 2 };
    expect(shape([])).toEqual(alone);
    expect(shape([100])).toEqual(alone);
    expect(shape([100, 101], null)).toEqual(alone);
  });
});
