import type { OrderTerms } from '@/shared/api/types';
import { floorUnits, fromUnits, toUnits, wholeProduct } from './decimal';
import type { OrderSide } from './orderSides';

/**
 * What an order comes to before the server has been asked: enough to turn won into a quantity and to see that an order is too
 * small. Nothing of it is shown; the sums on the screen are the server's.
 */
export interface Estimate {
  amount: number;
  fee: number;
  tax: number;
  /** What leaves the account for a buy, what arrives for a sale. */
  total: number;
}

// A dollar order is paid for at the rate plus the exchange spread, and received at the rate minus it.
const FX_SPREAD = 0.001;

/**
 * Buys round up and sales round down, as the books do; fee and tax are of the amount at the middle rate, floored to a won. Null
 * for dollars without a rate: nothing is known of their worth.
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
 * The most that can be had for so many won at a price, its fee included: whole steps only, so that something may be left over.
 * Of a sale it is what is worth that much before its costs. Null for dollars without a rate.
 */
export function qtyForAmount(side: OrderSide, price: number, amountWon: number, terms: OrderTerms): number | null {
  const rate = rateOf(terms);
  if (rate === null) return null;
  const share = spreadOf(side, terms) + (side === 'buy' ? terms.feeRate : 0);
  const each = toUnits(price) * toUnits(rate) * toUnits(share);
  if (each <= 0n || amountWon <= 0) return 0;
  // `each` has the scale of its three factors; the quantity is to have that of one. The amount rounds up and the fee down, so
  // that together they never come to more than what was divided.
  const units = (toUnits(amountWon) * toUnits(1) ** 3n) / each;
  return fromUnits(floorUnits(units, toUnits(terms.qtyStep)));
}

/** Won for one unit of what is ordered in; null while none is known. */
export function rateOf({ currency, fxRate }: OrderTerms): number | null {
  return fxRate ?? (currency === 'USD' ? null : 1);
}

function spreadOf(side: OrderSide, { fxRate }: OrderTerms): number {
  if (fxRate === null || fxRate === undefined) return 1;
  return side === 'buy' ? 1 + FX_SPREAD : 1 - FX_SPREAD;
}
