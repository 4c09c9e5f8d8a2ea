import { describe, expect, it } from 'vitest';
import { floorToStep, fromUnits, isMultiple, toUnits, wholeProduct } from './decimal';

describe('exact decimals', () => {
  it('converts to units and back without losing the eighth decimal', () => {
    expect(toUnits(0.00012345)).toBe(12_345n);
    expect(fromUnits(toUnits(0.1) + toUnits(0.2))).toBe(0.3);
    expect(toUnits(-1.5)).toBe(-150_000_000n);
  });

  it('keeps a quantity beyond the digits of a number as it is sent, and never rounds up', () => {
    expect(fromUnits(20_000_000_000_000_002n)).toBeLessThan(200_000_000.000_000_03);
    for (let i = 1n; i <= 2_000n; i += 1n) {
      const units = 9_007_199_254_740_993n * (1n + i / 7n) + i * i * 7_919n;
      const value = fromUnits(units);
      const sent = toUnits(value);
      expect(String(value).replace('.', '')).toBe(String(sent).replace(/0+$/, ''));
      expect(sent).toBeLessThanOrEqual(units);
      expect(Number(units - sent) / Number(units)).toBeLessThan(2 ** -51);
      expect(fromUnits(sent)).toBe(value);
    }
  });

  it('floors a quantity to its step', () => {
    expect(floorToStep(2.999, 1)).toBe(2);
    expect(floorToStep(0.123456789, 0.00000001)).toBe(0.12345679);
    expect(floorToStep(0.29, 0.01)).toBe(0.29);
    expect(floorToStep(5, 0)).toBe(5);
  });

  it('finds multiples that floating point misses', () => {
    expect(0.3 % 0.1).not.toBe(0);
    expect(isMultiple(0.3, 0.1)).toBe(true);
    expect(isMultiple(229.875, 0.01)).toBe(false);
  });

  it('rounds a product of money in the given direction', () => {
    expect(wholeProduct([0.12345678, 100_000_000], 'down')).toBe(12_345_678);
    expect(wholeProduct([142_000_001, 0.00003521], 'down')).toBe(4_999);
    expect(wholeProduct([142_000_001, 0.00003521], 'up')).toBe(5_000);
    expect(wholeProduct([71_300, 3], 'up')).toBe(213_900);
    expect(wholeProduct([231.01, 2, 1_470, 1.001], 'up')).toBe(679_849);
  });
});
