import { useEffect, useRef, useState } from 'react';
import type { Item, Order, OrderPreview, OrderTerms } from '@/shared/api/types';
import { entryValue } from '@/shared/ui/amountEntry';
import { previewRequest } from '@/features/order/rules/orderBodies';
import { findIssue, canPreview, type OrderEntry, type OrderIssue, effectivePrice } from '@/features/order/rules/orderCheck';
import type { OrderSide, PriceKind } from '@/features/order/rules/orderSides';
import { amountOfMinimum, type Pricing, qtyWithin } from '@/features/order/rules/quantity';
import { termsExcluding } from '@/features/order/rules/termsExcluding';
import { entryOf, type OrderForm } from './orderForm';
import type { LivePrice } from './useLivePrice';
import { type PreviewAnswer, useOrderPreview } from './useOrderPreview';

const UPDATE_INTERVAL_MS = 2_000;

interface PreviewInput {
  memberSid: number;
  acno: string;
  item: Item;
  side: OrderSide;
  form: OrderForm;
  live: LivePrice;
  terms: OrderTerms;
  /** The waiting order being modified. */
  changed: Order | null;
}

export interface PricedOrder {
  /** The order as entered. Its sums are in `answer`. */
  entry: OrderEntry;
  answer: PreviewAnswer;
  issue: OrderIssue | null;
  terms: OrderTerms;
  /** The entry of another form. */
  entryFor: (form: OrderForm) => OrderEntry;
  /** What one of the instrument costs or yields, where an amount does not reach it; null while unknown. */
  leastWon: number | null;
}

/** The prices used to convert an amount into a quantity. */
interface Basis {
  live: LivePrice;
  /** The last server preview; null before the first reply. */
  lastPreview: LastPreview | null;
}

interface LastPreview {
  kind: PriceKind;
  preview: OrderPreview;
}

/**
 * The order a form describes, its validation issue and its price. The server computes what a market buy by amount gets. Any other
 * amount is converted into a quantity every two seconds, so that the quantity follows the price and stays readable, and at once
 * when the server's total exceeds the amount: such a total is never shown.
 */
export function usePricedOrder({ memberSid, acno, item, side, form, live, terms: currentTerms, changed }: PreviewInput): PricedOrder {
  const [basis, setBasis] = useState<Basis>({ live, lastPreview: null });
  const pricing = (kind: PriceKind, limitPrice: number | null): Pricing => ({
    side,
    kind,
    limitPrice,
    live: basis.live,
    terms: currentTerms,
    preview: lastPreviewFor(kind, basis),
  });
  const entryFor = (of: OrderForm): OrderEntry =>
    entryOf(of, side, (amountWon, limitPrice) => qtyWithin(amountWon, pricing(of.kind, limitPrice)));
  const entry = entryFor(form);
  const terms = changed === null ? currentTerms : termsExcluding(changed, currentTerms, effectivePrice(entry, live.price));
  const found = findIssue(entry, terms, live.price);
  const amount = form.measure === 'amount' && entry.amount === undefined ? entryValue(form.amount) : null;
  // What is too little is said as the amount that can be typed.
  const issue = found?.kind === 'under-minimum' && amount !== null ? { ...found, minimumWon: amountOfMinimum(pricing(form.kind, entry.limitPrice)) } : found;
  const typed = amount === null ? null : JSON.stringify([acno, form.kind, form.price.text, form.amount.text]);
  // A preview whose price the quantity already uses cannot be improved.
  const fits = (preview: OrderPreview) =>
    amount === null || comparableTotal(side, preview) <= amount || isSame(lastPreviewFor(form.kind, basis), preview);
  const { newest, ...answer } = useOrderPreview(canPreview(issue, entry) ? previewRequest(memberSid, acno, item, entry) : null, typed, fits);
  if (newest && !fits(newest)) setBasis({ ...basis, lastPreview: { kind: form.kind, preview: newest } });

  const latest = useRef(basis);
  useEffect(() => {
    latest.current = { live, lastPreview: newest ? { kind: form.kind, preview: newest } : latest.current.lastPreview };
  });
  useEffect(() => {
    const timer = setInterval(() => setBasis(latest.current), UPDATE_INTERVAL_MS);
    return () => clearInterval(timer);
  }, []);

  // Of what is bought in fractions, the price of a whole one says nothing about the smallest order.
  const reachesNone = found?.kind === 'no-qty' && form.measure === 'amount' && entry.qty === 0 && currentTerms.qtyStep === 1;
  const one: OrderEntry = { side, kind: form.kind, limitPrice: entry.limitPrice, qty: 1 };
  const { preview: oneOfIt } = useOrderPreview(reachesNone ? previewRequest(memberSid, acno, item, one) : null, null, () => true);
  const leastWon = oneOfIt === undefined ? null : comparableTotal(side, oneOfIt);
  return { entry: answer.qty === null ? entry : { ...entry, qty: answer.qty }, answer, issue, terms, entryFor, leastWon };
}

function lastPreviewFor(kind: PriceKind, { lastPreview }: Basis): OrderPreview | null {
  return lastPreview?.kind === kind ? lastPreview.preview : null;
}

/** What an amount is compared with: the total with fee for a buy, the gross value for a sale. */
function comparableTotal(side: OrderSide, { total, amount }: OrderPreview): number {
  return side === 'buy' ? total : amount;
}

function isSame(one: OrderPreview | null, other: OrderPreview): boolean {
  return one !== null && one.price === other.price && one.appliedFxRate === other.appliedFxRate;
}
