import { expect, it } from 'vitest';
import { samsungTerms } from '@/testing/wireSamples';
import { holdMarginOf } from './holdMargin';

it('is what the server holds beyond the price of a buy', () => {
  const market = { side: 'buy', kind: 'market', limitPrice: null, qty: 1 } as const;
  const limit = { ...market, kind: 'limit', limitPrice: 70_000 } as const;
  const dollars = { ...samsungTerms, currency: 'USD' } as const;
  expect(holdMarginOf(market, samsungTerms)).toBe('market');
  expect(holdMarginOf(market, { ...samsungTerms, session: 'CLOSED' })).toBe('upperLimit');
  expect(holdMarginOf(market, { ...samsungTerms, session: 'CLOSED', limits: {} })).toBe('market');
  expect(holdMarginOf(market, dollars)).toBe('marketAndRate');
  expect(holdMarginOf(limit, dollars)).toBe('rate');
  expect(holdMarginOf(limit, samsungTerms)).toBeNull();
  expect(holdMarginOf({ ...market, amount: 100_000 }, dollars)).toBeNull();
  expect(holdMarginOf({ ...market, side: 'sell' }, dollars)).toBeNull();
});
