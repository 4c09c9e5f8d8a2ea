import type { OrderTerms } from '@/shared/api/types';
import { state } from '@/shared/copy/copy.shared';
import { money } from '@/shared/format/money';
import { isMissing } from '@/shared/format/number';
import { orderCopy } from '@/features/order/copy';
import { distanceSentence } from '@/features/order/rules/distance';
import type { OrderSide } from '@/features/order/rules/orderSides';
import type { LivePrice } from './useLivePrice';

/** Why ordering is blocked; null when it is not. */
export function blockedBy(terms: OrderTerms, side: OrderSide, isOnline: boolean, { mark }: LivePrice): string | null {
  if (!isOnline) return state.offlineBlocked;
  if (!terms.tradable) return orderCopy.notTradable;
  if (terms.session === 'HALTED' || mark === 'halted') return orderCopy.halted;
  return side === 'sell' && terms.sellableQty === 0 ? orderCopy.nothingToSell : null;
}

/** What an order waits for when it is not matched at once. */
export function waitingNote({ session }: OrderTerms, { mark }: LivePrice): string | null {
  switch (mark) {
    case 'interrupted':
      return orderCopy.interrupted;
    case 'auction':
      return orderCopy.auction;
    case 'halted':
    case null:
      return session === 'CLOSED' ? orderCopy.closed : null;
  }
}

/** The distance of the limit price from the live price, and a dollar price in won. */
export function priceHelper(limitPrice: number | null, { price, fxRate }: LivePrice): string | null {
  if (limitPrice === null) return null;
  const inWon = isMissing(fxRate) ? null : orderCopy.about(money(Math.round(limitPrice * fxRate), 'KRW'));
  return [inWon, distanceSentence(limitPrice, price)].filter((part) => part !== null).join(' · ');
}
