import { describe, expect, it } from 'vitest';
import { axisAmount, fittingAmount } from './amounts';
import { niceTicks, scale, textWidthPx } from './scale';

describe('axes', () => {
  it('have round ticks that cover the values', () => {
    expect(niceTicks(0, 400, 3)).toEqual([0, 200, 400]);
    expect(niceTicks(96, 120, 3)).toEqual([90, 100, 110, 120]);
    expect(niceTicks(-10, 10, 3)).toEqual([-10, 0, 10]);
    expect(niceTicks(0, 0.3, 3)).toEqual([0, 0.1, 0.2, 0.3]);
  });

  it('have a range even where all values are the same', () => {
    const ticks = niceTicks(5, 5, 3);
    expect(ticks.length).toBeGreaterThan(1);
    expect(ticks[0]).toBeLessThanOrEqual(5);
    expect(ticks.at(-1)).toBeGreaterThan(5);
  });

  it('map values onto pixels, also downwards and for an empty range', () => {
    expect(scale([0, 10], [100, 0])(2.5)).toBe(75);
    expect(scale([3, 3], [10, 90])(3)).toBe(10);
  });
});

describe('values on a figure', () => {
  it('lose their unit, then their precision, where the room is short', () => {
    expect(fittingAmount(134_444, '원', 80)).toBe('134,444원');
    expect(fittingAmount(134_444, '원', 58)).toBe('134,444');
    expect(fittingAmount(134_444, '원', 40)).toBe('13.4만');
    expect(fittingAmount(2.5, '%', 10)).toBe('2.5');
  });

  it('are counted in ten thousands and hundred millions on axes', () => {
    expect(axisAmount(99_999)).toBe('99,999');
    expect(axisAmount(250_000)).toBe('25만');
    expect(axisAmount(300_000_000)).toBe('3억');
  });

  it('are measured by script', () => {
    expect(textWidthPx('가나')).toBe(26);
    expect(textWidthPx('12')).toBeCloseTo(15.2);
  });
});
