import type { Order, OrderTerms } from '@/shared/api/types';
import { floorUnits, fromUnits, toUnits } from './decimal';
import { affordableQty, rateOf } from './quantity';

/**
 * The terms without a waiting order: a modification releases what it reserves first. `price` is the buy price in the
 * instrument's currency; null while unknown.
 */
export function termsExcluding(order: Order, terms: OrderTerms, price: number | null): OrderTerms {
  if (order.side === 'SELL') {
    const sellable = toUnits(terms.sellableQty) + toUnits(order.remainQty);
    return { ...terms, sellableQty: fromUnits(floorUnits(sellable, toUnits(terms.qtyStep))) };
  }
  const rate = rateOf(terms);
  const availableCash = terms.availableCash + order.heldAmount;
  const isPriced = price !== null && price > 0 && rate !== null;
  return { ...terms, availableCash, maxBuyQty: isPriced ? affordableQty(availableCash, { price, rate, ...terms }, 'up') : terms.maxBuyQty };
}
