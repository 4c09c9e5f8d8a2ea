import type { OrderPreview, OrderTerms } from '@/shared/api/types';
import { quantity } from '@/shared/format/number';
import { won } from '@/shared/format/won';
import { entryValue } from '@/shared/ui/amountEntry';
import { issueCopy, orderCopy } from '@/features/order/copy';
import { rateOf } from '@/features/order/rules/estimate';
import type { OrderEntry } from '@/features/order/rules/orderCheck';
import { isEstimate } from '@/features/order/rules/sums';
import type { OrderForm } from './orderForm';

interface Situation {
  form: OrderForm;
  entry: OrderEntry;
  terms: OrderTerms;
  /** The server's sums for the entry, once it has answered. */
  preview: OrderPreview | undefined;
  /** The least amount that buys or sells anything; null while unknown. */
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
  return rateOf(terms) === null ? orderCopy.noRate : reachesForNone(terms, unit, leastWon);
}

// Of what is bought in fractions, the price of a whole one says nothing about the smallest order.
function reachesForNone({ qtyStep }: OrderTerms, unit: string, leastWon: number | null): string {
  return orderCopy.reachesForNone(unit, leastWon === null || qtyStep !== 1 ? null : orderCopy.about(won(leastWon)));
}

function reach({ form, entry: { side, kind, qty }, terms, preview, leastWon, unit }: Situation): string | null {
  const amount = entryValue(form.amount);
  if (amount === null || qty === null) return null;
  if (qty === 0) return reachesForNone(terms, unit, leastWon);
  const many = quantity(qty) + unit;
  const rest = preview === undefined || side === 'sell' ? 0 : amount - preview.total;
  if (rest <= 0) return many;
  const left = preview && isEstimate(preview, kind) ? orderCopy.about(won(rest)) : won(rest);
  return orderCopy.reachesForWithRest(many, left);
}
