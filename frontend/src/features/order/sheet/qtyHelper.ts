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
  unit: string;
}

/** The note below the quantity: what an amount buys and what is left of it, and what limits the maximum. */
export function qtyHelper({ form, entry, terms, preview, unit }: Situation): string | null {
  const isMarketBuy = entry.side === 'buy' && form.kind === 'market';
  const most = quantity(terms.maxBuyQty) + unit;
  const isMost = isMarketBuy && entry.qty !== null && entry.qty > 0 && entry.qty === terms.maxBuyQty;
  if (form.measure === 'amount') {
    if (entryValue(form.amount) !== null && rateOf(terms) === null) return orderCopy.noRate;
    return reach(form, entry, preview, unit, isMost) ?? (isMarketBuy ? orderCopy.marketPrice : null);
  }
  if (isMost) return orderCopy.mostWithMargin(most);
  return form.kind === 'market' ? orderCopy.marketPrice : null;
}

/** Why an amount yields no quantity. */
export function withoutQty({ form, terms, unit }: Pick<Situation, 'form' | 'terms' | 'unit'>): string {
  if (entryValue(form.amount) === null) return issueCopy.noAmount;
  return rateOf(terms) === null ? orderCopy.noRate : orderCopy.reachesForNone(unit);
}

function reach(
  form: OrderForm,
  { side, kind, qty }: OrderEntry,
  preview: OrderPreview | undefined,
  unit: string,
  isMost: boolean,
): string | null {
  const amount = entryValue(form.amount);
  if (amount === null || qty === null) return null;
  if (qty === 0) return orderCopy.reachesForNone(unit);
  const many = quantity(qty) + unit;
  const rest = preview === undefined || side === 'sell' ? 0 : amount - preview.total;
  if (rest <= 0) return many;
  const left = preview && isEstimate(preview, kind) ? orderCopy.about(won(rest)) : won(rest);
  return isMost ? orderCopy.reachesForMost(many, left) : orderCopy.reachesForWithRest(many, left);
}
