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
  it('is the gain of the holdings since the previous close', () => {
    expect(todayOf([row(samsung)], 5_003_900, { dayTraded: 0 })).toEqual({ changeWon: 3_300, changePercent: (3_300 / 5_000_600) * 100 });
    expect(todayOf([row(samsung, { price: 70_000, previousClose: 70_200, fxRate: null })], 5_000_000, { dayTraded: 0 })?.changeWon).toBe(-600);
  });

  it('converts dollars at one rate, each side rounded as shown', () => {
    // floor(1.5 × 230 × 1,410) − floor(1.5 × 228.5 × 1,410) = 486,450 − 483,277.
    expect(todayOf([row(apple, { price: 230, previousClose: 228.5, fxRate: 1_410 })], 1_000_000, { dayTraded: 0 })?.changeWon).toBe(3_173);
  });

  it('adds the result of the day\'s trades', () => {
    expect(todayOf([], 4_999_000, { dayTraded: -1_000 })).toEqual({ changeWon: -1_000, changePercent: -0.02 });
    expect(todayOf([row(samsung)], 5_003_900, { dayTraded: -107 })?.changeWon).toBe(3_193);
  });

  it('converts trades in dollars at the rate of the remaining holding', () => {
    // Two were bought at 1,400 for 641,000 won; half of an earlier one was sold for 160,000.
    const bought = { dayTraded: 2 * 228.5 * 1_400 - 641_000, dayTradedUsd: [{ isuSrtCd: 'AAPL', usd: 2 * 228.5, won: 2 * 228.5 * 1_400 }] };
    const sold = { dayTraded: 160_000 - 159_950, dayTradedUsd: [{ isuSrtCd: 'AAPL', usd: -0.5 * 228.5, won: -159_950 }] };
    for (const fxRate of [1_400, 1_407.35, 1_380.5]) {
      const tick = { price: 230.25, previousClose: 228.5, fxRate };
      const change = (juQty: number, traded: typeof bought) => todayOf([row({ ...apple, juQty }, tick)], 10_000_000, traded)?.changeWon;
      expect(change(2, bought)).toBe(Math.floor(2 * 230.25 * fxRate) - 641_000);
      expect(change(0.5, sold)).toBe(Math.floor(0.5 * 230.25 * fxRate) + 160_000 - Math.floor(228.5 * fxRate));
    }
    // A sold position has no other part to add up with.
    expect(todayOf([], 10_000_000, sold)?.changeWon).toBe(50);
    // The previous server release does not separate them.
    expect(todayOf([row(apple)], 10_000_000, { dayTraded: 50 })?.changeWon).toBe(3_200);
  });

  it('counts a trade once where two accounts hold the same', () => {
    const traded = { dayTraded: 0, dayTradedUsd: [{ isuSrtCd: 'AAPL', usd: 228.5, won: 319_900 }] };
    const tick = { price: 228.5, previousClose: 228.5, fxRate: 1_410 };
    expect(todayOf([row(apple, tick), row({ ...apple, acno: 'another' }, tick)], 10_000_000, traded)?.changeWon).toBe(2_285);
  });

  it('is unknown when a part of it is', () => {
    expect(todayOf([], 5_000_000, { dayTraded: null })).toBeNull();
    expect(todayOf([], 5_000_000, {})).toBeNull();
    expect(todayOf([row({ ...samsung, prevDdPrc: null })], 5_000_000, { dayTraded: 0 })).toBeNull();
    expect(todayOf([row({ ...apple, fxRt: null })], 5_000_000, { dayTraded: 0 })).toBeNull();
  });

  it('has no percentage of zero', () => {
    expect(todayOf([], 0, { dayTraded: 0 })).toEqual({ changeWon: 0, changePercent: null });
  });
});
