import { describe, expect, it } from 'vitest';
import type { OrderTerms } from '@/shared/api/types';
import { samsungTerms } from '@/testing/wireSamples';
import { moveToReconfirm } from '@/features/order/sheet/priceMove';
import { fieldOf, findIssue, isMistake } from './orderCheck';
import { decimalsOfStep, maxQty, qtyForRatio } from './quantity';

const terms: OrderTerms = { ...samsungTerms, maxBuyQty: 14, tickTable: [{ from: 0, tick: 100 }], limits: { lower: 50_000, upper: 92_000 } };
const coinTerms: OrderTerms = { ...terms, qtyStep: 0.00000001, minAmount: 5_000, maxBuyQty: 0.007, limits: {}, tickTable: [{ from: 0, tick: 1_000 }] };

describe('validation issues', () => {
  const buy = { side: 'buy', kind: 'limit', limitPrice: 71_300, qty: 3 } as const;

  it('are absent for a valid entry', () => {
    expect(findIssue(buy, terms, 71_300)).toBeNull();
    expect(findIssue({ ...buy, kind: 'market', limitPrice: null }, terms, 71_300)).toBeNull();
  });

  it.each([
    [{ ...buy, limitPrice: null }, 'no-price'],
    [{ ...buy, limitPrice: 71_350 }, 'off-tick'],
    [{ ...buy, limitPrice: 92_100 }, 'over-limit'],
    [{ ...buy, limitPrice: 49_900 }, 'under-limit'],
    [{ ...buy, qty: null }, 'no-qty'],
    [{ ...buy, qty: 0 }, 'no-qty'],
    [{ ...buy, qty: 1.5 }, 'off-step'],
    [{ ...buy, qty: 15 }, 'over-cash'],
    [{ ...buy, side: 'sell', qty: 4 } as const, 'over-holding'],
  ])('start with the first of %o: %s', (entry, kind) => {
    expect(findIssue(entry, terms, 71_300)?.kind).toBe(kind);
  });

  it('include the maximum quantity', () => {
    expect(findIssue({ ...buy, qty: 15 }, terms, 71_300)).toEqual({ kind: 'over-cash', maxQty: 14 });
  });

  it('include a coin order below the minimum amount', () => {
    const tiny = { side: 'buy', kind: 'market', limitPrice: null, qty: 0.00003 } as const;
    expect(findIssue(tiny, coinTerms, 142_000_000)).toEqual({ kind: 'under-minimum', minimumWon: 5_000 });
    expect(findIssue({ ...tiny, qty: 0.0001 }, coinTerms, 142_000_000)).toBeNull();
    // 4,999.5 won are too little, although a buy rounds up.
    expect(findIssue({ ...tiny, qty: 0.5 }, { ...coinTerms, maxBuyQty: 1 }, 9_999)?.kind).toBe('under-minimum');
    expect(findIssue({ ...tiny, qty: 0.5 }, { ...coinTerms, maxBuyQty: 1 }, 10_000)).toBeNull();
  });

  it('of an empty field are no mistakes', () => {
    expect(isMistake({ kind: 'no-qty' })).toBe(false);
    expect(isMistake({ kind: 'off-tick', tick: 100 })).toBe(true);
    expect(fieldOf({ kind: 'off-tick', tick: 100 })).toBe('price');
    expect(fieldOf({ kind: 'over-holding', maxQty: 1 })).toBe('qty');
  });
});

describe('quantities', () => {
  it('are shares of the maximum, floored to the step', () => {
    expect(maxQty(terms, 'buy')).toBe(14);
    expect(maxQty(terms, 'sell')).toBe(3);
    expect(qtyForRatio(14, 50, 1)).toBe(7);
    expect(qtyForRatio(14, 25, 1)).toBe(3);
    expect(qtyForRatio(3, 10, 1)).toBe(0);
    expect(qtyForRatio(0.12345678, 100, 0.00000001)).toBe(0.12345678);
    expect(qtyForRatio(0.12345678, 50, 0.00000001)).toBe(0.06172839);
  });

  it('take their decimals from the step', () => {
    expect(decimalsOfStep(1)).toBe(0);
    expect(decimalsOfStep(0.01)).toBe(2);
    expect(decimalsOfStep(0.00000001)).toBe(8);
    expect(decimalsOfStep(10)).toBe(0);
  });
});

describe('a moving price', () => {
  it('confirms again beyond three percent in either direction', () => {
    const at = (previewed: number | null, traded = 100) => ({ previewed, traded });
    expect(moveToReconfirm(at(100), at(103))).toBeNull();
    expect(moveToReconfirm(at(100), at(103.01))).toBeCloseTo(3.01);
    expect(moveToReconfirm(at(100), at(96.9))).toBeCloseTo(-3.1);
  });

  it('is the one of the preview, or the last trade without one', () => {
    expect(moveToReconfirm({ previewed: 100, traded: 100 }, { previewed: 101, traded: 110 })).toBeNull();
    expect(moveToReconfirm({ previewed: null, traded: 100 }, { previewed: 120, traded: 101 })).toBeNull();
    expect(moveToReconfirm({ previewed: 100, traded: 100 }, { previewed: null, traded: 104 })).toBeCloseTo(4);
  });
});
