import type { Order, OrderTerms } from '@/shared/api/types';
import { floorToStep, floorUnits, fromUnits, toUnits } from './decimal';
import { estimate } from './estimate';
import { sideOfRow } from './orderSides';

/**
 * The terms without a waiting order: a modification releases what it reserves first. `price` is the buy price in the
 * instrument's currency; null while unknown.
 */
export function termsExcluding(order: Order, terms: OrderTerms, price: number | null): OrderTerms {
  if (order.side === 'SELL') {
    const sellable = toUnits(terms.sellableQty) + toUnits(order.remainQty);
    return { ...terms, sellableQty: fromUnits(floorUnits(sellable, toUnits(terms.qtyStep))) };
  }
  const freed = { ...terms, availableCash: terms.availableCash + order.heldAmount };
  return { ...freed, maxBuyQty: price === null || price <= 0 ? terms.maxBuyQty : maxQtyFor(order, freed, price) };
}

function maxQtyFor(order: Order, terms: OrderTerms, price: number): number {
  const side = sideOfRow(order.side);
  const one = estimate(side, price, 1, { ...terms, feeRate: 0 });
  if (one === null) return terms.maxBuyQty;
  const most = floorToStep(terms.availableCash / (one.amount * (1 + terms.feeRate)), terms.qtyStep);
  const total = estimate(side, price, most, terms)?.total ?? 0;
  return total > terms.availableCash ? floorToStep(Math.max(0, most - terms.qtyStep), terms.qtyStep) : most;
}
