import { expect, it } from 'vitest';
import { samsungTerms } from '@/testing/wireSamples';
import { cushionOf } from './cushion';

it('is what the server holds beyond the price of a buy', () => {
  const market = { side: 'buy', kind: 'market', limitPrice: null, qty: 1 } as const;
  const limit = { ...market, kind: 'limit', limitPrice: 70_000 } as const;
  const dollars = { ...samsungTerms, currency: 'USD' } as const;
  expect(cushionOf(market, samsungTerms)).toBe('market');
  expect(cushionOf(market, { ...samsungTerms, session: 'CLOSED' })).toBe('upperLimit');
  expect(cushionOf(market, { ...samsungTerms, session: 'CLOSED', limits: {} })).toBe('market');
  expect(cushionOf(market, dollars)).toBe('marketAndRate');
  expect(cushionOf(limit, dollars)).toBe('rate');
  expect(cushionOf(limit, samsungTerms)).toBeNull();
  expect(cushionOf({ ...market, amount: 100_000 }, dollars)).toBeNull();
  expect(cushionOf({ ...market, side: 'sell' }, dollars)).toBeNull();
});
