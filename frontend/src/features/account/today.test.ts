import { describe, expect, it } from 'vitest';
import type { Holding } from '@/shared/api/types';
import { holding as samsung } from '@/testing/wireSamples';
import { valueHolding } from './holdingsValue';
import { todayOf } from './today';

const row = (holding: Holding, tick?: { price: number; previousClose: number; fxRate: number | null }) => ({
  holding,
  valued: valueHolding(holding, tick),
  tick,
});
const apple: Holding = { ...samsung, isuSrtCd: 'AAPL', currency: 'USD', juQty: 1.5, trdPrc: 230, prevDdPrc: 228.5, fxRt: 1_400 };

describe('the change of the day', () => {
  it('is what the holdings gained since the previous close', () => {
    expect(todayOf([row(samsung)], 5_003_900, 0)).toEqual({ changeWon: 3_300, changePercent: (3_300 / 5_000_600) * 100 });
    expect(todayOf([row(samsung, { price: 70_000, previousClose: 70_200, fxRate: null })], 5_000_000, 0)?.changeWon).toBe(-600);
  });

  it('counts dollars at one rate, each side rounded as it is shown', () => {
    // floor(1.5 × 230 × 1,410) − floor(1.5 × 228.5 × 1,410) = 486,450 − 483,277.
    expect(todayOf([row(apple, { price: 230, previousClose: 228.5, fxRate: 1_410 })], 1_000_000, 0)?.changeWon).toBe(3_173);
  });

  it('adds what the trades of the day brought by themselves', () => {
    expect(todayOf([], 4_999_000, -1_000)).toEqual({ changeWon: -1_000, changePercent: -0.02 });
    expect(todayOf([row(samsung)], 5_003_900, -107)?.changeWon).toBe(3_193);
  });

  it('is unknown where a part of it is', () => {
    expect(todayOf([], 5_000_000, null)).toBeNull();
    expect(todayOf([], 5_000_000, undefined)).toBeNull();
    expect(todayOf([row({ ...samsung, prevDdPrc: null })], 5_000_000, 0)).toBeNull();
    expect(todayOf([row({ ...apple, fxRt: null })], 5_000_000, 0)).toBeNull();
  });

  it('has no percent of nothing', () => {
    expect(todayOf([], 0, 0)).toEqual({ changeWon: 0, changePercent: null });
  });
});
