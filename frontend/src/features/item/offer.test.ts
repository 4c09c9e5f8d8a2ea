import { describe, expect, it } from 'vitest';
import type { ShopItem } from '@/shared/api/types';
import { blockedBy, markOf, sectionOf } from './offer';

const frame: ShopItem = {
  itemSid: 10, name: '새싹 테두리', category: 'COLLECTIBLE', slot: 'FRAME', currency: 'KRW', price: 100_000, effect: '', image: 'frame-sprout',
  limitPerMember: 1, stock: null, left: null, saleFrom: null, saleTo: null, buyDeposit: null, onSale: true,
};
const pack: ShopItem = { ...frame, category: 'DEPOSIT_PACK', slot: null, currency: 'CASH', price: 5, limitPerMember: null };
const purse = { won: 100_000, cash: 4 };

describe('an item can be bought', () => {
  it('with exactly its price', () => expect(blockedBy(frame, 0, purse)).toBeNull());
  it('while the funds are unknown, which the server decides', () => expect(blockedBy(pack, 0, { won: null, cash: null })).toBeNull());
  it.each([
    ['owned once for all', frame, 1, '이미 가지고 있어요'],
    ['held as often as allowed', { ...frame, limitPerMember: 2 }, 2, '2개까지 가질 수 있어요'],
    ['sold out', { ...frame, left: 0 }, 0, '다 팔렸어요'],
    ['after its sale', { ...frame, onSale: false }, 0, '지금은 살 수 없어요'],
    ['a won too dear', { ...frame, price: 100_001 }, 0, '1원 모자라요'],
    ['a cash too dear', pack, 0, '1캐시 모자라요'],
  ] as const)('but not %s', (_name, item, owned, reason) => expect(blockedBy(item, owned, purse)).toBe(reason));
});

it.each([
  [{ ...frame, left: 7 }, 0, '7개 남음'],
  [{ ...frame, left: 7 }, 1, '보유 중'],
  [{ ...frame, limitPerMember: null }, 3, '3개 보유 중'],
  [{ ...frame, left: 0 }, 0, '품절'],
  [{ ...frame, saleTo: '2026-12-02T00:00:00+09:00' }, 0, '기간 한정'],
  [{ ...frame, saleTo: '2026-12-02T00:00:00+09:00', onSale: false }, 0, '판매 끝'],
  [{ ...frame, saleFrom: '2026-12-02T00:00:00+09:00', onSale: false }, 0, '판매 예정'],
  [{ ...frame, saleFrom: '2026-12-01T00:00:00+09:00', onSale: false }, 0, '판매 끝'],
  [frame, 0, null],
])('is marked %#', (item, owned, mark) => expect(markOf(item, owned, new Date('2026-12-01T00:00:00+09:00'))).toBe(mark));

it('has what helps in one section', () => {
  expect(sectionOf({ ...frame, category: 'STREAK_FREEZE' })).toBe('HELP');
  expect(sectionOf({ ...frame, category: 'SEASON_TICKET' })).toBe('HELP');
  expect(sectionOf(frame)).toBe('COLLECTIBLE');
});
