import { describe, expect, it } from 'vitest';
import type { OrderTerms } from '@/shared/api/types';
import { samsungTerms, waitingOrder } from '@/testing/wireSamples';
import { quickPrice } from '@/features/order/sheet/PriceChips';
import { wholeProduct } from './decimal';
import { distanceSentence } from './distance';
import { findIssue } from './orderCheck';
import { affordableQty, amountForRatio, amountOfMinimum, qtyWithin, withRoomToRise } from './quantity';
import { termsExcluding } from './termsExcluding';

const coin: OrderTerms = { ...samsungTerms, qtyStep: 0.00000001, feeRate: 0.0005, taxRate: 0, maxBuyQty: 1, tickTable: [{ from: 0, tick: 1_000 }], limits: {} };
const us: OrderTerms = { ...samsungTerms, currency: 'USD', fxRate: 1_470.35, feeRate: 0.001, taxRate: 0 };

const unitOf = ({ feeRate, qtyStep, fxRate }: OrderTerms, price: number) => ({ price, rate: fxRate ?? 1, feeRate, qtyStep });

/** What the ledger books for a buy, or what is held for it. */
function costOf(qty: number, { price, rate, feeRate }: ReturnType<typeof unitOf>, roundFee: 'down' | 'up'): number {
  return wholeProduct([price, qty, rate], 'up') + wholeProduct([price, qty, rate, feeRate], roundFee);
}

describe('the maximum of a buy', () => {
  it('leaves room for a price that rises, in fractions at the market', () => {
    expect(withRoomToRise({ ...coin, maxBuyQty: 0.00325654 }, 'buy', 'market').maxBuyQty).toBe(0.00324025);
    expect(withRoomToRise(coin, 'buy', 'limit').maxBuyQty).toBe(1);
    expect(withRoomToRise(coin, 'sell', 'market')).toBe(coin);
    expect(withRoomToRise(samsungTerms, 'buy', 'market')).toBe(samsungTerms);
  });
});

describe('an amount as a quantity', () => {
  it.each([
    ['coin', coin, 142_357_000, 10_000],
    ['cheap coin', coin, 0.1234, 5_001],
    ['stock', samsungTerms, 71_300, 1_000_000],
    ['US share', us, 231.01, 1_000_000],
  ])('%s: buys as much as it pays for with the fee, and not a step more', (_name, terms, price, amountWon) => {
    const unit = unitOf(terms, price);
    for (const roundFee of ['down', 'up'] as const) {
      const qty = affordableQty(amountWon, unit, roundFee);
      expect(costOf(qty, unit, roundFee)).toBeLessThanOrEqual(amountWon);
      // A step of a coin may be worth less than a won, so a larger one is searched.
      const more = terms.qtyStep * Math.ceil(3 / (price * terms.qtyStep));
      expect(costOf(qty + more, unit, roundFee)).toBeGreaterThan(amountWon);
    }
  });

  it('is exact where floating point would lose a share', () => {
    const samsung = unitOf(samsungTerms, 71_300);
    // 3 × 71,300 is 213,900, and the fee of 32.085 is charged as 32 and held as 33.
    expect(affordableQty(213_932, samsung, 'down')).toBe(3);
    expect(affordableQty(213_931, samsung, 'down')).toBe(2);
    expect(affordableQty(213_933, samsung, 'up')).toBe(3);
    expect(affordableQty(213_932, samsung, 'up')).toBe(2);
    expect(affordableQty(70_000, samsung, 'down')).toBe(0);
    const cheap = { kind: 'limit', limitPrice: 0.1, live: { price: 0.1, bid: null, ask: null }, terms: coin, preview: null } as const;
    expect(qtyWithin(3, { ...cheap, side: 'sell' })).toBe(30);
  });

  it('uses the opposite side of the book', () => {
    const live = { price: 71_300, bid: 70_000, ask: 75_000 };
    const pricing = { kind: 'market', limitPrice: null, live, terms: { ...samsungTerms, feeRate: 0 }, preview: null } as const;
    expect(qtyWithin(210_000, { ...pricing, side: 'sell' })).toBe(3);
    expect(qtyWithin(224_999, { ...pricing, side: 'buy' })).toBe(2);
    expect(qtyWithin(225_000, { ...pricing, side: 'buy' })).toBe(3);
    expect(qtyWithin(225_000, { ...pricing, side: 'buy', kind: 'limit', limitPrice: 70_000 })).toBe(3);
    expect(qtyWithin(225_000, { ...pricing, side: 'buy', kind: 'limit' })).toBeNull();
  });

  it('is divided by the price and the rate of the server\'s preview, where those are higher', () => {
    const live = { price: 71_300, bid: 71_200, ask: 71_400 };
    const pricing = { side: 'buy', kind: 'market', limitPrice: null, live, terms: { ...samsungTerms, feeRate: 0 } } as const;
    expect(qtyWithin(285_600, { ...pricing, preview: { price: 71_400 } })).toBe(4);
    expect(qtyWithin(285_600, { ...pricing, preview: { price: 71_500 } })).toBe(3);
    expect(qtyWithin(285_600, { ...pricing, preview: { price: 70_000 } })).toBe(4);
    const dollars = { ...pricing, live: { price: 100, bid: null, ask: null }, terms: { ...us, feeRate: 0, fxRate: 1_000 } };
    expect(qtyWithin(200_000, { ...dollars, preview: null })).toBe(2);
    // The applied rate includes the spread, which only the server knows.
    expect(qtyWithin(200_200, { ...dollars, preview: { price: 100, appliedFxRate: 1_001.1 } })).toBe(1);
    expect(qtyWithin(200_200, { ...dollars, kind: 'limit', limitPrice: 90, preview: { price: 100, appliedFxRate: 1_001.1 } })).toBe(2);
    expect(qtyWithin(200_000, { ...dollars, side: 'sell', preview: { price: 100, appliedFxRate: 999 } })).toBe(2);
    expect(qtyWithin(199_700, { ...dollars, side: 'sell', preview: { price: 100, appliedFxRate: 999 } })).toBe(1);
  });

  it('of the least order is not floored below it, and a limit buy includes the fee', () => {
    const terms = { ...coin, minAmount: 5_000, sellableQty: 1 };
    // The bid may be above the last trade, which the server checks the minimum at.
    const live = { price: 159_958_000, bid: 159_990_000, ask: 160_000_000 };
    const sale = { side: 'sell', kind: 'market', limitPrice: null, live, terms, preview: null } as const;
    const qty = qtyWithin(5_000, sale);
    expect(qty).toBe(0.00003126);
    expect(findIssue({ side: 'sell', kind: 'market', limitPrice: null, qty }, terms, live.price)).toBeNull();
    expect(findIssue({ side: 'sell', kind: 'market', limitPrice: null, qty: qtyWithin(4_999, sale) }, terms, live.price)).toMatchObject({ kind: 'under-minimum' });
    expect(amountOfMinimum(sale)).toBe(5_000);
    const buy = { ...sale, side: 'buy', kind: 'limit', limitPrice: 159_958_000, terms: { ...terms, availableCash: 1_000_000 } } as const;
    const least = amountOfMinimum(buy);
    expect(least).toBeGreaterThan(5_000);
    const entry = { side: 'buy', kind: 'limit', limitPrice: buy.limitPrice } as const;
    expect(findIssue({ ...entry, qty: qtyWithin(least, buy) }, terms, live.price)).toBeNull();
    expect(findIssue({ ...entry, qty: qtyWithin(least - 1, buy) }, terms, live.price)).toMatchObject({ kind: 'under-minimum' });
  });

  it('is unknown in dollars without a rate', () => {
    const terms = { ...us, fxRate: null, maxBuyQty: 0 };
    const pricing = { kind: 'market', limitPrice: null, live: { price: 231.01, bid: null, ask: null }, terms, preview: null } as const;
    expect(qtyWithin(10_000, { ...pricing, side: 'buy' })).toBeNull();
    expect(qtyWithin(10_000, { ...pricing, side: 'sell' })).toBeNull();
    // Without a rate nothing is too small, and the maximum of a modified order is the server's.
    expect(findIssue({ side: 'sell', kind: 'market', limitPrice: null, qty: 1 }, { ...terms, minAmount: 5_000 }, 231.01)).toBeNull();
    expect(termsExcluding(waitingOrder, { ...terms, maxBuyQty: 2 }, 231.01).maxBuyQty).toBe(2);
  });

  it('caps an amount within the cash at the maximum of a limit, whose fee is reserved rounded up', () => {
    const pricing = { side: 'buy', kind: 'limit', limitPrice: 71_300, live: { price: 71_300, bid: null, ask: null }, terms: samsungTerms, preview: null } as const;
    expect(qtyWithin(1_000_000, pricing)).toBe(13);
    // More than the maximum stays too much.
    expect(qtyWithin(1_100_000, pricing)).toBe(15);
    // A market buy by amount reserves no more than the amount.
    expect(qtyWithin(1_000_000, { ...pricing, kind: 'market' })).toBe(14);
    expect(amountForRatio(999_999, 25)).toBe(249_999);
  });
});

describe('quick prices', () => {
  it('are on a tick, never worse for the member than their label', () => {
    expect(quickPrice('buy', 71_300, 0, samsungTerms)).toBe(71_300);
    // 70,587 and 72,013: rounded down to a tick for a buy, up for a sale.
    expect(quickPrice('buy', 71_300, 1, samsungTerms)).toBe(70_500);
    expect(quickPrice('sell', 71_300, 1, samsungTerms)).toBe(72_100);
    expect(quickPrice('buy', 0.3, 1, { ...samsungTerms, tickTable: [{ from: 0, tick: 0.001 }], limits: {} })).toBe(0.297);
  });

  it('stay within the limits of the day', () => {
    expect(quickPrice('buy', 50_000, 5, samsungTerms)).toBe(49_200);
    expect(quickPrice('sell', 91_000, 3, samsungTerms)).toBe(91_200);
  });
});

it('show on which side of the live price a limit is', () => {
  expect(distanceSentence(55_614, 71_300)).toBe('현재가보다 22% 낮아요');
  expect(distanceSentence(72_000, 71_300)).toBe('현재가보다 0.98% 높아요');
  expect(distanceSentence(71_300, 71_300)).toBe('현재가와 같아요');
  expect(distanceSentence(71_300, null)).toBeNull();
});
