import type { OrderTerms } from '@/shared/api/types';
import type { QtyRatio } from '@/shared/ui/QtyChips';
import { floorToStep, fromUnits, toUnits } from './decimal';
import type { OrderSide } from './orderSides';

/** The most the member can order on this side at the price the terms were asked for. */
export function maxQty(terms: OrderTerms, side: OrderSide): number {
  return side === 'buy' ? terms.maxBuyQty : terms.sellableQty;
}

/** What a percent chip fills in: that share of the maximum, floored to what can be traded. */
export function qtyForRatio(max: number, ratio: QtyRatio, step: number): number {
  const share = fromUnits((toUnits(max) * BigInt(ratio)) / 100n);
  return floorToStep(share, step);
}

/** How many digits after the point a quantity may have, from its step: 1 → 0, 0.00000001 → 8. */
export function decimalsOfStep(step: number): number {
  const units = toUnits(step);
  let decimals = 8;
  for (let scale = 10n; decimals > 0 && units % scale === 0n; scale *= 10n) decimals -= 1;
  return decimals;
}
