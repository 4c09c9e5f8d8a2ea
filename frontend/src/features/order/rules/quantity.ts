import type { OrderPreview, OrderTerms } from '@/shared/api/types';
import type { QtyRatio } from '@/shared/ui/QtyChips';
import { ceilUnits, floorToStep, fromUnits, toUnits } from './decimal';
import { estimate, qtyForAmount, rateOf } from './estimate';
import type { OrderSide, PriceKind } from './orderSides';

/** The maximum quantity at the price the terms were requested for. */
export function maxQty(terms: OrderTerms, side: OrderSide): number {
  return side === 'buy' ? terms.maxBuyQty : terms.sellableQty;
}

/** A percent of the maximum, floored to the quantity step. */
export function qtyForRatio(max: number, ratio: QtyRatio, step: number): number {
  const share = fromUnits((toUnits(max) * BigInt(ratio)) / 100n);
  return floorToStep(share, step);
}

/** A percent of the available cash, in whole won. */
export function amountForRatio(availableCash: number, ratio: QtyRatio): number {
  return Number((BigInt(availableCash) * BigInt(ratio)) / 100n);
}

export interface Pricing {
  side: OrderSide;
  kind: PriceKind;
  limitPrice: number | null;
  live: { price: number; bid: number | null; ask: number | null };
  terms: OrderTerms;
  /** The last server preview of such an order; null before the first reply. */
  preview: Pick<OrderPreview, 'price' | 'fxRate'> | null;
}

/**
 * The quantity an amount in won buys or sells: at the limit price, or at the opposite side of the book for a market order, and
 * never below the price of the server's preview. A limit buy reserves a rounded fee, so an amount within the available cash is
 * capped at the maximum quantity instead of rejected. A sale of at least the minimum order is never floored below it. Null without a price, or without a rate for a price in dollars.
 */
export function qtyWithin(amountWon: number, pricing: Pricing): number | null {
  const { side, kind, terms, preview } = pricing;
  const price = priceOf(pricing);
  if (price === null || price <= 0) return null;
  const fxRate = terms.fxRate && Math.max(terms.fxRate, preview?.fxRate ?? 0);
  const qty = qtyForAmount(side, price, amountWon, { ...terms, fxRate });
  if (qty === null) return null;
  if (side === 'sell' && amountWon >= terms.minAmount) return Math.max(qty, leastQty(pricing) ?? 0);
  return side === 'buy' && kind === 'limit' && amountWon <= terms.availableCash ? Math.min(qty, terms.maxBuyQty) : qty;
}

/** The least amount that buys or sells one step: with the fee for a buy. Null where `qtyWithin` is. */
export function amountOfStep(pricing: Pricing): number | null {
  const { side, terms } = pricing;
  const price = priceOf(pricing);
  const sums = price === null ? null : estimate(side, price, terms.qtyStep, terms);
  return sums && (side === 'buy' ? sums.total : sums.amount);
}

/** The least amount that can be typed for an order: of a buy it includes the fee. */
export function amountOfMinimum(pricing: Pricing): number {
  const { side, terms } = pricing;
  const [price, qty] = [priceOf(pricing), leastQty(pricing)];
  const sums = price === null || qty === null || side === 'sell' ? null : estimate(side, price, qty, terms);
  return sums === null ? terms.minAmount : Math.max(sums.total, terms.minAmount);
}

/** The least quantity worth the minimum order at the price the server checks: the limit price, or the last trade. */
function leastQty({ kind, limitPrice, live, terms }: Pricing): number | null {
  const price = kind === 'limit' ? limitPrice : live.price;
  const rate = rateOf(terms);
  if (price === null || price <= 0 || rate === null) return null;
  const each = toUnits(price) * toUnits(rate);
  const least = toUnits(terms.minAmount) * toUnits(1) ** 2n;
  return fromUnits(ceilUnits((least + each - 1n) / each, toUnits(terms.qtyStep)));
}

function priceOf({ side, kind, limitPrice, live, preview }: Pricing): number | null {
  if (kind === 'limit') return limitPrice;
  return Math.max((side === 'buy' ? live.ask : live.bid) ?? live.price, preview?.price ?? 0);
}

/** The decimals of a quantity step: 1 → 0, 0.00000001 → 8. */
export function decimalsOfStep(step: number): number {
  const units = toUnits(step);
  let decimals = 8;
  for (let scale = 10n; decimals > 0 && units % scale === 0n; scale *= 10n) decimals -= 1;
  return decimals;
}
