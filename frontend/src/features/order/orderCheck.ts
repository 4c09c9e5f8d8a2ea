import type { OrderTerms } from '@/shared/api/types';
import { isMissing } from '@/shared/format/number';
import { isMultiple } from './decimal';
import { estimate } from './estimate';
import type { OrderSide, PriceKind } from './orderSides';
import { maxQty } from './quantity';
import { isOnTick, tickAt } from './ticks';

/** What the member has entered. */
export interface OrderEntry {
  side: OrderSide;
  kind: PriceKind;
  /** The limit price; ignored for a market order. */
  limitPrice: number | null;
  qty: number | null;
}

/** Why an entry cannot be ordered yet, with the figures its sentence needs. */
export type OrderObstacle =
  | { kind: 'no-price' }
  | { kind: 'off-tick'; tick: number }
  | { kind: 'over-limit'; upper: number }
  | { kind: 'under-limit'; lower: number }
  | { kind: 'no-qty' }
  | { kind: 'off-step'; step: number }
  | { kind: 'over-cash'; maxQty: number }
  | { kind: 'over-holding'; maxQty: number }
  | { kind: 'under-minimum'; minimumWon: number };

/** The price to reckon with: the limit price, or the price seen now for a market order. */
export function reckonedPrice(entry: OrderEntry, livePrice: number | null): number | null {
  return entry.kind === 'limit' ? entry.limitPrice : livePrice;
}

/** The first thing that stands in the way, in the order the server would find it; null when the entry can be sent. */
export function findObstacle(entry: OrderEntry, terms: OrderTerms, livePrice: number | null): OrderObstacle | null {
  return priceObstacle(entry, terms) ?? qtyObstacle(entry, terms, reckonedPrice(entry, livePrice));
}

/** Whether the server can say what an entry comes to: it needs a price and a quantity that could be traded, not the means. */
export function isReckonable(obstacle: OrderObstacle | null): boolean {
  switch (obstacle?.kind) {
    case undefined:
    case 'over-cash':
    case 'over-holding':
    case 'under-minimum':
      return true;
    case 'no-price':
    case 'off-tick':
    case 'over-limit':
    case 'under-limit':
    case 'no-qty':
    case 'off-step':
      return false;
  }
}

/** Only obstacles the member has caused by typing are shouted about; an empty field is not a mistake yet. */
export function isMistake(obstacle: OrderObstacle): boolean {
  return obstacle.kind !== 'no-price' && obstacle.kind !== 'no-qty';
}

/** Which field an obstacle belongs to, so that the message stands beside it. */
export function fieldOf(obstacle: OrderObstacle): 'price' | 'qty' {
  switch (obstacle.kind) {
    case 'no-price':
    case 'off-tick':
    case 'over-limit':
    case 'under-limit':
      return 'price';
    case 'no-qty':
    case 'off-step':
    case 'over-cash':
    case 'over-holding':
    case 'under-minimum':
      return 'qty';
  }
}

function priceObstacle({ kind, limitPrice }: OrderEntry, { tickTable, limits }: OrderTerms): OrderObstacle | null {
  if (kind === 'market') return null;
  if (limitPrice === null || limitPrice <= 0) return { kind: 'no-price' };
  if (!isOnTick(limitPrice, tickTable)) return { kind: 'off-tick', tick: tickAt(limitPrice, tickTable) ?? 1 };
  if (!isMissing(limits.upper) && limitPrice > limits.upper) return { kind: 'over-limit', upper: limits.upper };
  if (!isMissing(limits.lower) && limitPrice < limits.lower) return { kind: 'under-limit', lower: limits.lower };
  return null;
}

function qtyObstacle({ side, qty }: OrderEntry, terms: OrderTerms, price: number | null): OrderObstacle | null {
  if (qty === null || qty <= 0) return { kind: 'no-qty' };
  if (!isMultiple(qty, terms.qtyStep)) return { kind: 'off-step', step: terms.qtyStep };
  const max = maxQty(terms, side);
  if (side === 'sell' && qty > max) return { kind: 'over-holding', maxQty: max };
  if (side === 'buy' && qty > max) return { kind: 'over-cash', maxQty: max };
  const amount = price === null ? null : estimate(side, price, qty, terms)?.amount;
  if (!isMissing(amount) && amount < terms.minAmount) {
    return { kind: 'under-minimum', minimumWon: terms.minAmount };
  }
  return null;
}
