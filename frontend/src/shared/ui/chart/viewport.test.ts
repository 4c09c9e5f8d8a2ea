import { describe, expect, it } from 'vitest';
import type { Bar } from './bars';
import { widened } from './references';
import { candlesAcross, extremes, firstRange, inView, keptRange, narrowed, shareOfWidth } from './viewport';

const bars = (count: number, from = 0): Bar[] =>
  Array.from({ length: count }, (_, index) => ({ time: (from + index) * 60, open: 5, high: 10 + (index % 7), low: 3 - (index % 5), close: 6, volume: 1 }));

describe('the range in view', () => {
  it('is never more than 120 candles, and none is a hairline', () => {
    expect(candlesAcross(412)).toBe(91);
    expect(candlesAcross(320)).toBe(71);
    expect(candlesAcross(1_280)).toBe(120);
    for (const width of [320, 412, 915]) expect(width / candlesAcross(width)).toBeGreaterThanOrEqual(4.5);
    expect(firstRange(288, 0, 412, false)).toEqual({ from: 197, to: 287 });
    expect(firstRange(40, 0, 412, false)).toEqual({ from: 0, to: 39 });
    expect(narrowed({ from: 0, to: 287 }, 91)).toEqual({ from: 197, to: 287 });
    expect(narrowed({ from: 197, to: 287 }, 91)).toBeNull();
  });

  it('is the period of a line, without bars loaded by scrolling', () => {
    expect(firstRange(600, 312, 412, true)).toEqual({ from: 312, to: 599 });
  });

  it('stays when older bars are loaded, and follows new ones only from the newest', () => {
    const before = bars(100, 50);
    expect(keptRange({ from: 5, to: 60 }, before, bars(130, 20), false)).toEqual({ from: 35, to: 90 });
    expect(keptRange({ from: 9, to: 99 }, before, bars(101, 50), false)).toEqual({ from: 10, to: 100 });
    expect(keptRange({ from: 0, to: 99 }, before, bars(101, 50), true)).toEqual({ from: 0, to: 100 });
    expect(keptRange({ from: 5, to: 60 }, before, bars(101, 50), false)).toEqual({ from: 5, to: 60 });
    expect(keptRange({ from: 0, to: 99 }, before, bars(100, 900), false)).toBeNull();
  });

  it('has its extremes from the trades of the shown bars', () => {
    const all = bars(20);
    all[2] = { ...(all[2] as Bar), high: 99, low: -99 };
    expect(extremes(all)).toMatchObject({ highest: { high: 99 }, lowest: { low: -99 } });
    const shown = inView(all, { from: 2.4, to: 9.6 });
    expect(shown.map(({ time }) => time / 60)).toEqual([3, 4, 5, 6, 7, 8, 9]);
    expect(extremes(shown)).toMatchObject({ highest: { high: 16 }, lowest: { low: -1 } });
    expect(extremes([])).toBeNull();
  });

  it('grows from the left on a young day', () => {
    expect(shareOfWidth(5, 412, false)).toBeCloseTo(0.29, 2);
    expect(shareOfWidth(1, 412, true)).toBe(0.25);
    expect(shareOfWidth(15, 412, true)).toBe(0.5);
    expect(shareOfWidth(288, 412, true)).toBe(1);
  });
});

describe('widened', () => {
  const reference = (price: number) => ({ kind: 'average' as const, price, text: '' });

  it('makes room for a near price, and is not flattened by a distant one', () => {
    expect(widened({ minValue: 100, maxValue: 200 }, [reference(80), reference(230)])).toEqual({ minValue: 80, maxValue: 230 });
    expect(widened({ minValue: 100, maxValue: 200 }, [reference(20), reference(500)])).toEqual({ minValue: 100, maxValue: 200 });
  });
});
