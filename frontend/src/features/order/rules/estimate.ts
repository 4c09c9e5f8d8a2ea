import type { OrderTerms } from '@/shared/api/types';
import { floorUnits, fromUnits, toUnits, wholeProduct } from './decimal';
import type { OrderSide } from './orderSides';

/**
 * A local estimate of an order: enough to convert won into a quantity and to detect orders below the minimum. It is never
 * shown; the sums on the screen are the server's.
 */
export interface Estimate {
  amount: number;
  fee: number;
  tax: number;
  /** Debited for a buy, credited for a sale. */
  total: number;
}

// A buy in dollars pays the rate plus this spread; a sale receives the rate minus it.
const FX_SPREAD = 0.001;

/**
 * Buys round up and sales round down, as the ledger does. Fee and tax are computed from the amount at the middle rate, floored
 * to a won. Null for dollars without a rate.
 */
export function estimate(side: OrderSide, price: number, qty: number, terms: OrderTerms): Estimate | null {
  const rate = rateOf(terms);
  if (rate === null) return null;
  const atMiddle = [price, qty, rate];
  const amount = wholeProduct([...atMiddle, spreadOf(side, terms)], side === 'buy' ? 'up' : 'down');
  const fee = wholeProduct([...atMiddle, terms.feeRate], 'down');
  const tax = side === 'sell' ? wholeProduct([...atMiddle, terms.taxRate], 'down') : 0;
  return { amount, fee, tax, total: side === 'buy' ? amount + fee : Math.max(0, amount - fee - tax) };
}

/**
 * The largest quantity for an amount at a price, fee included, in whole steps. For a sale, the quantity worth that much before
 * costs. Null for dollars without a rate.
 */
export function qtyForAmount(side: OrderSide, price: number, amountWon: number, terms: OrderTerms): number | null {
  const rate = rateOf(terms);
  if (rate === null) return null;
  const share = spreadOf(side, terms) + (side === 'buy' ? terms.feeRate : 0);
  const each = toUnits(price) * toUnits(rate) * toUnits(share);
  if (each <= 0n || amountWon <= 0) return 0;
  // `each` is scaled by three factors, the quantity by one. The amount rounds up and the fee down, so their sum never exceeds
  // the given amount, and one step more may still fit.
  const units = floorUnits((toUnits(amountWon) * toUnits(1) ** 3n) / each, toUnits(terms.qtyStep));
  const more = fromUnits(units + toUnits(terms.qtyStep));
  const fits = side === 'buy' && (estimate(side, price, more, terms)?.total ?? Infinity) <= amountWon;
  return fits ? more : fromUnits(units);
}

/** Won per unit of the instrument's currency; null while unknown. */
export function rateOf({ currency, fxRate }: OrderTerms): number | null {
  return fxRate ?? (currency === 'USD' ? null : 1);
}

function spreadOf(side: OrderSide, { fxRate }: OrderTerms): number {
  if (fxRate === null || fxRate === undefined) return 1;
  return side === 'buy' ? 1 + FX_SPREAD : 1 - FX_SPREAD;
}
