import type { OrderTerms } from '@/shared/api/types';
import { isMissing } from '@/shared/format/number';
import { isMultiple, wholeProduct } from './decimal';
import type { OrderSide, PriceKind } from './orderSides';
import { maxQty, rateOf } from './quantity';
import { isOnTick, tickAt } from './ticks';

export interface OrderEntry {
  side: OrderSide;
  kind: PriceKind;
  /** Ignored for a market order. */
  limitPrice: number | null;
  qty: number | null;
  /** Won that a market buy may cost; `qty` is then what it buys at present. */
  amount?: number;
}

/** Why an entry cannot be ordered yet, with the figures its message needs. */
export type OrderIssue =
  | { kind: 'no-price' }
  | { kind: 'off-tick'; tick: number }
  | { kind: 'over-limit'; upper: number }
  | { kind: 'under-limit'; lower: number }
  | { kind: 'no-qty' }
  | { kind: 'off-step'; step: number }
  | { kind: 'over-cash'; maxQty: number }
  | { kind: 'over-amount'; shortWon: number }
  | { kind: 'over-holding'; maxQty: number }
  | { kind: 'under-minimum'; minimumWon: number };

/** The limit price, or the live price for a market order. */
export function effectivePrice(entry: OrderEntry, livePrice: number | null): number | null {
  return entry.kind === 'limit' ? entry.limitPrice : livePrice;
}

/** The first validation issue, in the order the server checks; null when the entry can be sent. */
export function findIssue(entry: OrderEntry, terms: OrderTerms, livePrice: number | null): OrderIssue | null {
  return priceIssue(entry, terms) ?? qtyIssue(entry, terms, effectivePrice(entry, livePrice));
}

/** Whether the server can preview an entry: it needs a valid price and size, but not the buying power. */
export function canPreview(issue: OrderIssue | null, { amount }: Pick<OrderEntry, 'amount'>): boolean {
  switch (issue?.kind) {
    case undefined:
    case 'over-cash':
    case 'over-amount':
    case 'over-holding':
      return true;
    case 'under-minimum':
      return amount === undefined;
    case 'no-price':
    case 'off-tick':
    case 'over-limit':
    case 'under-limit':
    case 'no-qty':
    case 'off-step':
      return false;
  }
}

/** An empty field is not a mistake yet; anything typed wrong is. */
export function isMistake(issue: OrderIssue): boolean {
  return issue.kind !== 'no-price' && issue.kind !== 'no-qty';
}

/** The field an issue is shown at. */
export function fieldOf(issue: OrderIssue): 'price' | 'qty' {
  switch (issue.kind) {
    case 'no-price':
    case 'off-tick':
    case 'over-limit':
    case 'under-limit':
      return 'price';
    case 'no-qty':
    case 'off-step':
    case 'over-cash':
    case 'over-amount':
    case 'over-holding':
    case 'under-minimum':
      return 'qty';
  }
}

function priceIssue({ kind, limitPrice }: OrderEntry, { tickTable, limits }: OrderTerms): OrderIssue | null {
  if (kind === 'market') return null;
  if (limitPrice === null || limitPrice <= 0) return { kind: 'no-price' };
  if (!isOnTick(limitPrice, tickTable)) return { kind: 'off-tick', tick: tickAt(limitPrice, tickTable) ?? 1 };
  if (!isMissing(limits.upper) && limitPrice > limits.upper) return { kind: 'over-limit', upper: limits.upper };
  if (!isMissing(limits.lower) && limitPrice < limits.lower) return { kind: 'under-limit', lower: limits.lower };
  return null;
}

function qtyIssue({ side, qty, amount }: OrderEntry, terms: OrderTerms, price: number | null): OrderIssue | null {
  if (amount !== undefined) return amountIssue(amount, qty, terms);
  if (qty === null || qty <= 0) return { kind: 'no-qty' };
  if (!isMultiple(qty, terms.qtyStep)) return { kind: 'off-step', step: terms.qtyStep };
  const max = maxQty(terms, side);
  if (side === 'sell' && qty > max) return { kind: 'over-holding', maxQty: max };
  if (side === 'buy' && qty > max) return { kind: 'over-cash', maxQty: max };
  const rate = rateOf(terms);
  const isTooLittle = price !== null && rate !== null && wholeProduct([price, qty, rate], 'down') < terms.minAmount;
  return isTooLittle ? { kind: 'under-minimum', minimumWon: terms.minAmount } : null;
}

// An order by amount holds no more than the amount, so the cash alone limits it.
function amountIssue(amount: number, qty: number | null, { availableCash, minAmount }: OrderTerms): OrderIssue | null {
  if (amount < minAmount) return { kind: 'under-minimum', minimumWon: minAmount };
  if (qty === null || qty <= 0) return { kind: 'no-qty' };
  return amount > availableCash ? { kind: 'over-amount', shortWon: amount - availableCash } : null;
}
