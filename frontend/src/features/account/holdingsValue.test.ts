import { describe, expect, it } from 'vitest';
import type { Holding } from '@/shared/api/types';
import { holding as samsung } from '@/testing/wireSamples';
import { type HoldingSort, sortHoldings, totalOf, valueHolding } from './holdingsValue';

const apple: Holding = { ...samsung, isuSrtCd: 'AAPL', isuKorNm: '애플', currency: 'USD', juQty: 2, totalJuPrc: 600_000, trdPrc: 229.87, fxRt: 1_400, evalPrc: 643_636 };

describe('the value of holdings', () => {
  it('follows the live price and falls back to the server\'s last one', () => {
    expect(valueHolding(samsung, { price: 72_000, fxRate: null })).toEqual({
      valueWon: 216_000,
      costWon: 210_000,
      profitWon: 6_000,
      profitPercent: (6_000 / 210_000) * 100,
    });
    expect(valueHolding(samsung, undefined).valueWon).toBe(213_900);
  });

  it('converts dollars at the rate of the tick', () => {
    expect(valueHolding(apple, { price: 230, fxRate: 1_410 }).valueWon).toBe(648_600);
    expect(valueHolding(apple, undefined).valueWon).toBe(643_636);
  });

  it('floors coins to whole won without losing one to floating point', () => {
    const coin: Holding = { ...samsung, juQty: 0.1, trdPrc: 3, totalJuPrc: 0 };
    expect(valueHolding({ ...coin, juQty: 0.3, trdPrc: 10 }, undefined).valueWon).toBe(3);
    expect(valueHolding(coin, undefined)).toMatchObject({ valueWon: 0, profitPercent: null });
  });

  it('keeps the server value without price and rate', () => {
    const unpriced = { ...samsung, trdPrc: null };
    expect(valueHolding(unpriced, undefined).valueWon).toBe(213_900);
    expect(valueHolding({ ...unpriced, evalPrc: null }, undefined)).toMatchObject({ valueWon: null, profitWon: null });
  });

  it('sums up, counting an unpriced holding at its cost', () => {
    const parts = [valueHolding(samsung, { price: 72_000, fxRate: null }), { valueWon: null, costWon: 100, profitWon: null, profitPercent: null }];
    expect(totalOf(parts)).toMatchObject({ valueWon: 216_100, costWon: 210_100, profitWon: 6_000 });
    expect(totalOf([])).toMatchObject({ valueWon: 0, profitPercent: null });
  });

  it('sorts by value, gain, return or name, unpriced last', () => {
    const rows = [samsung, apple, { ...samsung, isuSrtCd: 'none', isuKorNm: '가나', trdPrc: null, evalPrc: null }, { ...samsung, isuSrtCd: 'loss', isuKorNm: '나다', juQty: 1, totalJuPrc: 80_000 }];
    const codes = (by: HoldingSort) =>
      sortHoldings(rows, by, (row) => ({ ...valueHolding(row, undefined), name: row.isuKorNm })).map((row) => row.isuSrtCd);
    expect(codes('value')).toEqual(['AAPL', '005930', 'loss', 'none']);
    expect(codes('profit')).toEqual(['AAPL', '005930', 'loss', 'none']);
    expect(codes('rate')).toEqual(['AAPL', '005930', 'loss', 'none']);
    expect(codes('name')).toEqual(['none', 'loss', '005930', 'AAPL']);
  });
});
