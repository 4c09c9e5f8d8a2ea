import type { OrderPreview, OrderTerms } from '@/shared/api/types';
import type { QtyRatio } from '@/shared/ui/QtyChips';
import { floorToStep, fromUnits, toUnits } from './decimal';
import { qtyForAmount } from './estimate';
import type { OrderSide, PriceKind } from './orderSides';
import type { LivePrice } from './useLivePrice';

/** The most the member can order on this side at the price the terms were asked for. */
export function maxQty(terms: OrderTerms, side: OrderSide): number {
  return side === 'buy' ? terms.maxBuyQty : terms.sellableQty;
}

/** What a percent chip fills in: that share of the maximum, floored to what can be traded. */
export function qtyForRatio(max: number, ratio: QtyRatio, step: number): number {
  const share = fromUnits((toUnits(max) * BigInt(ratio)) / 100n);
  return floorToStep(share, step);
}

/** What a percent chip fills in where won are typed: that share of the cash, in whole won. */
export function amountForRatio(availableCash: number, ratio: QtyRatio): number {
  return Number((BigInt(availableCash) * BigInt(ratio)) / 100n);
}

interface Pricing {
  side: OrderSide;
  kind: PriceKind;
  limitPrice: number | null;
  live: Pick<LivePrice, 'price' | 'bid' | 'ask'>;
  terms: OrderTerms;
  /** What the server reckoned such an order with; null before it has answered. */
  reckoned: Pick<OrderPreview, 'price' | 'fxRate'> | null;
}

/**
 * The quantity that so many won are ordered as: at the limit, or at the side of the book that a market order meets, and never at
 * less than the server reckons with. Cash that is there is never refused for the margin a market order keeps: the quantity is then
 * the most there may be. Null while it cannot be told: without a price, or a rate for one in dollars.
 */
export function qtyWithin(amountWon: number, { side, kind, limitPrice, live, terms, reckoned }: Pricing): number | null {
  const met = Math.max((side === 'buy' ? live.ask : live.bid) ?? live.price, reckoned?.price ?? 0);
  const price = kind === 'limit' ? limitPrice : met;
  if (price === null || price <= 0) return null;
  const fxRate = terms.fxRate && Math.max(terms.fxRate, reckoned?.fxRate ?? 0);
  const qty = qtyForAmount(side, price, amountWon, { ...terms, fxRate });
  if (qty === null) return null;
  return side === 'buy' && amountWon <= terms.availableCash ? Math.min(qty, terms.maxBuyQty) : qty;
}

/** How many digits after the point a quantity may have, from its step: 1 → 0, 0.00000001 → 8. */
export function decimalsOfStep(step: number): number {
  const units = toUnits(step);
  let decimals = 8;
  for (let scale = 10n; decimals > 0 && units % scale === 0n; scale *= 10n) decimals -= 1;
  return decimals;
}
