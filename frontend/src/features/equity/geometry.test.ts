import { describe, expect, it } from 'vitest';
import { dayAt, extremes, pathOf, scaleOf, wonOfIndex, xOf, yOf } from './geometry';

const points = (...days: [date: string, equity: number][]) => days.map(([date, equity]) => ({ date, equity, base: 0, flow: 0 }));

describe('the scale of an equity chart', () => {
  it('shows every line with some room', () => {
    const scale = scaleOf([
      [100, 200],
      [150, 150],
    ]);
    expect(scale).toEqual({ top: 208, bottom: 92, days: 2 });
    expect(pathOf([100, 200], scale)).toBe('M0 93.1L100 6.9');
  });

  it('puts a line that never moves in the middle', () => {
    const scale = scaleOf([[5_000_000, 5_000_000, 5_000_000]]);
    expect(yOf(5_000_000, scale)).toBe(50);
    expect(yOf(0, scaleOf([[0, 0]]))).toBe(50);
    expect(xOf(1, scale)).toBe(50);
  });

  it('finds the day under a finger, also beside the drawing', () => {
    expect([-1, 0, 0.24, 0.26, 1, 2].map((share) => dayAt(share, 3))).toEqual([0, 0, 0, 1, 2, 2]);
  });

  it('names the first of several highest and lowest days', () => {
    expect(extremes([2, 3, 1, 3, 1])).toEqual({ highest: 1, lowest: 2 });
  });
});

describe('an index beside the equity', () => {
  const closes = [
    { date: '2026-11-13', value: 4000 },
    { date: '2026-11-16', value: 4400 },
  ];
  const index = { code: '0001', name: '코스피', returnRt: 10, points: closes };

  it('begins with the equity of the first day, and a holiday is as the day before', () => {
    const days = points(['2026-11-14', 1000], ['2026-11-15', 900], ['2026-11-16', 800], ['2026-11-17', 700]);
    expect(wonOfIndex(index, days)).toEqual([1000, 1000, 1100, 1100]);
  });

  it('is nothing without a value of the first day', () => {
    expect(wonOfIndex(index, points(['2026-11-12', 1000], ['2026-11-16', 800]))).toBeUndefined();
    expect(wonOfIndex(index, [])).toBeUndefined();
  });
});
