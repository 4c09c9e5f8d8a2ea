import type { OrderTerms } from '@/shared/api/types';
import { wholeProduct } from './decimal';
import type { OrderSide } from './orderSides';

/** What an order is expected to cost or bring, in whole won. For reading only: the server decides. */
export interface Estimate {
  amount: number;
  fee: number;
  tax: number;
  /** What leaves the account for a buy, what arrives for a sale. */
  total: number;
}

// A dollar order is paid for at the rate plus the exchange spread, and received at the rate minus it.
const FX_SPREAD = 0.001;

/** Buys round up and sales round down, as the books do; fee and tax floor to a won. */
export function estimate(side: OrderSide, price: number, qty: number, terms: OrderTerms): Estimate {
  const rate = exchangeRate(side, terms.fxRate);
  const amount = wholeProduct(price * rate, qty, side === 'buy' ? 'up' : 'down');
  const fee = wholeProduct(amount, terms.feeRate, 'down');
  const tax = side === 'sell' ? wholeProduct(amount, terms.taxRate, 'down') : 0;
  return { amount, fee, tax, total: side === 'buy' ? amount + fee : Math.max(0, amount - fee - tax) };
}

function exchangeRate(side: OrderSide, fxRate: number | null | undefined): number {
  if (fxRate === null || fxRate === undefined) return 1;
  return side === 'buy' ? fxRate * (1 + FX_SPREAD) : fxRate * (1 - FX_SPREAD);
}
