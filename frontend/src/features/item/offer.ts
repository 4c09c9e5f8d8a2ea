import type { ShopItem } from '@/shared/api/types';
import { parseServerTime } from '@/shared/format/kst';
import { unitless } from '@/shared/format/number';
import { won } from '@/shared/format/won';
import { itemCopy } from './copy';

export interface Purse {
  /** Won of the basic account and 캐시 that can be spent; null while unknown. */
  won: number | null;
  cash: number | null;
}

export function priceText(amount: number, currency: ShopItem['currency']): string {
  return currency === 'CASH' ? itemCopy.cashCount(unitless(amount)) : won(amount);
}

/** Why the member cannot buy one more of an item now; null when it can be bought. */
export function blockedBy(item: ShopItem, owned: number, purse: Purse): string | null {
  const { blocked } = itemCopy;
  const limit = item.limitPerMember ?? Infinity;
  if (owned >= limit) return limit === 1 ? blocked.owned : blocked.limit(unitless(limit));
  if (item.left === 0) return blocked.soldOut;
  if (!item.onSale) return blocked.notOnSale;
  const funds = item.currency === 'CASH' ? purse.cash : purse.won;
  return funds !== null && funds < item.price ? blocked.tooDear(priceText(item.price - funds, item.currency)) : null;
}

/** The short mark of an item on its card; null when there is nothing to say. */
export function markOf(item: ShopItem, owned: number, now: Date = new Date()): string | null {
  if (owned > 0) return item.limitPerMember === 1 ? itemCopy.owned : itemCopy.ownedCount(unitless(owned));
  if (item.left === 0) return itemCopy.soldOut;
  if (!item.onSale) return (parseServerTime(item.saleFrom) ?? now) > now ? itemCopy.coming : itemCopy.ended;
  if (typeof item.left === 'number') return itemCopy.limited(unitless(item.left));
  return item.saleTo ? itemCopy.week : null;
}

/** The sections of the shop, in order; what helps is one section. */
export const SECTIONS = ['COLLECTIBLE', 'THEME', 'HELP', 'DEPOSIT_PACK'] as const;

export function sectionOf({ category }: ShopItem): (typeof SECTIONS)[number] {
  return category === 'STREAK_FREEZE' || category === 'SEASON_TICKET' ? 'HELP' : category;
}
