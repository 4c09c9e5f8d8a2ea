import type { OrderPreview, OrderTerms } from '@/shared/api/types';
import { quantity } from '@/shared/format/number';
import { won } from '@/shared/format/won';
import { entryValue } from '@/shared/ui/amountEntry';
import { issueCopy, orderCopy } from '@/features/order/copy';
import type { OrderEntry } from '@/features/order/rules/orderCheck';
import { rateOf } from '@/features/order/rules/quantity';
import { isEstimate } from '@/features/order/rules/sums';
import type { OrderForm } from './orderForm';

interface Situation {
  form: OrderForm;
  entry: OrderEntry;
  terms: OrderTerms;
  /** The server's sums for the entry, once it has answered. */
  preview: OrderPreview | undefined;
  /** What one of it costs or yields, where an amount does not reach it; null while unknown. */
  leastWon: number | null;
  unit: string;
}

/** The note below the quantity: what an amount buys and what is left of it, and what limits the maximum. */
export function qtyHelper(situation: Situation): string | null {
  const { form, entry, terms, unit } = situation;
  const isMarketBuy = entry.side === 'buy' && form.kind === 'market';
  if (form.measure === 'amount') {
    if (entryValue(form.amount) !== null && rateOf(terms) === null) return orderCopy.noRate;
    return reach(situation) ?? (isMarketBuy ? orderCopy.marketPrice : null);
  }
  const isMost = isMarketBuy && entry.qty !== null && entry.qty > 0 && entry.qty === terms.maxBuyQty;
  if (isMost) return orderCopy.mostWithMargin(quantity(terms.maxBuyQty) + unit);
  return form.kind === 'market' ? orderCopy.marketPrice : null;
}

/** Why an amount yields no quantity. */
export function withoutQty({ form, terms, unit, leastWon }: Pick<Situation, 'form' | 'terms' | 'unit' | 'leastWon'>): string {
  if (entryValue(form.amount) === null) return issueCopy.noAmount;
  return rateOf(terms) === null ? orderCopy.noRate : reachesForNone(unit, leastWon);
}

function reachesForNone(unit: string, leastWon: number | null): string {
  return orderCopy.reachesForNone(unit, leastWon === null ? null : orderCopy.about(won(leastWon)));
}

function reach({ form, entry: { side, kind, qty }, preview, leastWon, unit }: Situation): string | null {
  const amount = entryValue(form.amount);
  if (amount === null || qty === null) return null;
  if (qty === 0) return reachesForNone(unit, leastWon);
  const many = quantity(qty) + unit;
  const rest = preview === undefined || side === 'sell' ? 0 : amount - preview.total;
  if (rest <= 0) return many;
  const left = preview && isEstimate(preview, kind) ? orderCopy.about(won(rest)) : won(rest);
  return orderCopy.reachesForWithRest(many, left);
}
