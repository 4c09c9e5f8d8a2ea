import type { OrderPreview, OrderTerms } from '@/shared/api/types';
import type { QtyRatio } from '@/shared/ui/QtyChips';
import { ceilUnits, floorToStep, floorUnits, fromUnits, toUnits, wholeProduct } from './decimal';
import type { OrderSide, PriceKind } from './orderSides';

/** The maximum quantity at the price the terms were requested for. */
export function maxQty(terms: OrderTerms, side: OrderSide): number {
  return side === 'buy' ? terms.maxBuyQty : terms.sellableQty;
}

/**
 * The terms of a form. The price of a market buy may rise until it is placed, and the maximum of fractions would then be refused;
 * what whole shares leave over is room enough.
 */
export function withRoomToRise(terms: OrderTerms, side: OrderSide, kind: PriceKind): OrderTerms {
  if (side === 'sell' || kind === 'limit' || terms.qtyStep >= 1) return terms;
  const most = fromUnits((toUnits(terms.maxBuyQty) * (PER_MILLE - ROOM_PER_MILLE)) / PER_MILLE);
  return { ...terms, maxBuyQty: floorToStep(most, terms.qtyStep) };
}

const PER_MILLE = 1_000n;
/** Half a percent: the bitcoin of the market model was seen to move by 0.04 % within ten seconds. */
const ROOM_PER_MILLE = 5n;

/** A percent of the maximum, floored to the quantity step. */
export function qtyForRatio(max: number, ratio: QtyRatio, step: number): number {
  const share = fromUnits((toUnits(max) * BigInt(ratio)) / 100n);
  return floorToStep(share, step);
}

/** A percent of the available cash, in whole won. */
export function amountForRatio(availableCash: number, ratio: QtyRatio): number {
  return Number((BigInt(availableCash) * BigInt(ratio)) / 100n);
}

/** Won per unit of the instrument's currency; null while unknown. */
export function rateOf({ currency, fxRate }: OrderTerms): number | null {
  return fxRate ?? (currency === 'USD' ? null : 1);
}

export interface Pricing {
  side: OrderSide;
  kind: PriceKind;
  limitPrice: number | null;
  live: { price: number; bid: number | null; ask: number | null };
  terms: OrderTerms;
  /** The last server preview of such an order; null before the first reply. */
  preview: Pick<OrderPreview, 'price' | 'appliedFxRate'> | null;
}

/**
 * The quantity an amount in won buys or sells: at the limit price, or at the opposite side of the book for a market order, and
 * never below the price of the server's preview, whose exchange rate includes the spread. The server takes an amount only of a
 * market buy, and sums are always its own. A limit buy reserves a rounded fee, so an amount within the available cash is capped
 * at the maximum quantity instead of rejected. A sale of at least the minimum order is never floored below it. Null without a
 * price, or without a rate for a price in dollars.
 */
export function qtyWithin(amountWon: number, pricing: Pricing): number | null {
  const { side, kind, terms } = pricing;
  const [price, rate] = [priceOf(pricing), appliedRate(pricing)];
  if (price === null || price <= 0 || rate === null) return null;
  if (side === 'buy') {
    const qty = affordableQty(amountWon, { price, rate, ...terms }, 'down');
    return kind === 'limit' && amountWon <= terms.availableCash ? Math.min(qty, terms.maxBuyQty) : qty;
  }
  const qty = fromUnits(unitsWorth(amountWon, { price, rate, feeRate: 0, qtyStep: terms.qtyStep }));
  return amountWon >= terms.minAmount ? Math.max(qty, leastQty(pricing) ?? 0) : qty;
}

/** The least amount that can be typed for an order: of a buy it includes the fee. */
export function amountOfMinimum(pricing: Pricing): number {
  const { side, terms } = pricing;
  const [price, rate, qty] = [priceOf(pricing), appliedRate(pricing), leastQty(pricing)];
  if (side === 'sell' || price === null || rate === null || qty === null) return terms.minAmount;
  return Math.max(costOf(qty, { price, rate, ...terms }, 'down'), terms.minAmount);
}

/** What one of an instrument costs. */
interface UnitCost extends Pick<OrderTerms, 'feeRate' | 'qtyStep'> {
  price: number;
  /** Won per unit of its currency. */
  rate: number;
}

/** The largest quantity that costs no more than an amount, in whole steps. The ledger rounds a fee down, a hold rounds it up. */
export function affordableQty(amountWon: number, unit: UnitCost, roundFee: 'down' | 'up'): number {
  const fits = (units: bigint) => costOf(fromUnits(units), unit, roundFee) <= amountWon;
  // With a fee that is rounded down a step more may still fit, and with one that is rounded up a won less is what counts.
  const units = unitsWorth(amountWon, unit);
  return fromUnits([units + toUnits(unit.qtyStep), units].find(fits) ?? unitsWorth(amountWon - 1, unit));
}

function costOf(qty: number, { price, rate, feeRate }: UnitCost, roundFee: 'down' | 'up'): number {
  return wholeProduct([price, qty, rate], 'up') + wholeProduct([price, qty, rate, feeRate], roundFee);
}

/** Whole steps worth an amount with the unrounded fee, in units. */
function unitsWorth(amountWon: number, { price, rate, feeRate, qtyStep }: UnitCost): bigint {
  const one = toUnits(1);
  // Scaled by three factors, a quantity by one.
  const each = toUnits(price) * toUnits(rate) * (one + toUnits(feeRate));
  return each <= 0n || amountWon <= 0 ? 0n : floorUnits((toUnits(amountWon) * one ** 3n) / each, toUnits(qtyStep));
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

/** The middle rate until the server has said which one it applies. */
function appliedRate({ terms, preview }: Pricing): number | null {
  const middle = rateOf(terms);
  return middle === null ? null : (preview?.appliedFxRate ?? middle);
}

/** The decimals of a quantity step: 1 → 0, 0.00000001 → 8. */
export function decimalsOfStep(step: number): number {
  const units = toUnits(step);
  let decimals = 8;
  for (let scale = 10n; decimals > 0 && units % scale === 0n; scale *= 10n) decimals -= 1;
  return decimals;
}
