import type { Item } from '@/shared/api/types';
import { changePct } from './pct';

export const ITEM_SORTS = ['given', 'rateUp', 'rateDown', 'value', 'price', 'name'] as const;
export type ItemSort = (typeof ITEM_SORTS)[number];

/**
 * Sorts instruments by the prices of the REST reply, so that rows do not move with every tick. Prices of different currencies
 * are compared in won.
 */
export function sortItems(items: readonly Item[], sort: ItemSort): Item[] {
  switch (sort) {
    case 'given':
      return [...items];
    case 'rateUp':
      return descending(items, rateOf);
    case 'rateDown':
      return descending(items, (item) => -rateOf(item));
    case 'value':
      return descending(items, (item) => wonOf(item) * item.accVol);
    case 'price':
      return descending(items, wonOf);
    case 'name':
      return [...items].sort((a, b) => a.isuKorNm.localeCompare(b.isuKorNm, 'ko'));
  }
}

function descending(items: readonly Item[], rank: (item: Item) => number): Item[] {
  return [...items].sort((a, b) => rank(b) - rank(a));
}

function rateOf({ trdPrc, prevDdPrc, flucRt }: Item): number {
  return changePct(trdPrc, prevDdPrc) ?? flucRt;
}

function wonOf({ trdPrc, currency, fxRt }: Item): number {
  return currency === 'USD' ? trdPrc * (fxRt ?? 0) : trdPrc;
}
