import { useEffect, useRef, useState } from 'react';
import type { Item, Order, OrderPreview, OrderTerms } from '@/shared/api/types';
import { entryValue } from '@/shared/ui/amountEntry';
import { questionOf } from './orderBodies';
import { findObstacle, isReckonable, type OrderEntry, type OrderObstacle, reckonedPrice } from './orderCheck';
import { entryOf, type OrderForm } from './orderForm';
import type { OrderSide, PriceKind } from './orderSides';
import { qtyWithin } from './quantity';
import { termsWithout } from './termsWithout';
import type { LivePrice } from './useLivePrice';
import { type PreviewAnswer, useOrderPreview } from './useOrderPreview';

const STEADY_MS = 2_000;

interface Asked {
  memberSid: number;
  item: Item;
  side: OrderSide;
  form: OrderForm;
  live: LivePrice;
  terms: OrderTerms;
  /** The waiting order that is being changed. */
  changed: Order | null;
}

export interface Offer {
  /** What would be ordered; its sums are those of `answer`, once there are any. */
  entry: OrderEntry;
  answer: PreviewAnswer;
  obstacle: OrderObstacle | null;
  terms: OrderTerms;
  /** What another form would ask for. */
  entryFor: (form: OrderForm) => OrderEntry;
}

/** The prices that an amount is divided by. */
interface Basis {
  live: LivePrice;
  /** What the server reckoned with the last time; null before it has answered. */
  reckoned: Reckoned | null;
}

interface Reckoned {
  kind: PriceKind;
  preview: OrderPreview;
}

/**
 * What a form asks for, what stands in its way, and what it comes to. An amount is divided anew every two seconds, so that the
 * quantity follows the price and can still be read, and at once when the server's sums come to more than the amount: those are
 * never offered.
 */
export function useOffer({ memberSid, item, side, form, live, terms: asked, changed }: Asked): Offer {
  const [basis, setBasis] = useState<Basis>({ live, reckoned: null });
  const entryFor = (of: OrderForm): OrderEntry =>
    entryOf(of, side, (amountWon, limitPrice) =>
      qtyWithin(amountWon, { side, kind: of.kind, limitPrice, live: basis.live, terms: asked, reckoned: reckonedFor(of.kind, basis) }),
    );
  const entry = entryFor(form);
  const terms = changed === null ? asked : termsWithout(changed, asked, reckonedPrice(entry, live.price));
  const obstacle = findObstacle(entry, terms, live.price);
  const amount = form.measure === 'amount' ? entryValue(form.amount) : null;
  const typed = amount === null ? null : JSON.stringify([form.kind, form.price.text, form.amount.text]);
  // Sums that the quantity has heeded already are as good as they get.
  const fits = (preview: OrderPreview) =>
    amount === null || comesTo(side, preview) <= amount || isSame(reckonedFor(form.kind, basis), preview);
  const { newest, ...answer } = useOrderPreview(isReckonable(obstacle) ? questionOf(memberSid, item, entry) : null, typed, fits);
  if (newest && !fits(newest)) setBasis({ ...basis, reckoned: { kind: form.kind, preview: newest } });

  const latest = useRef(basis);
  useEffect(() => {
    latest.current = { live, reckoned: newest ? { kind: form.kind, preview: newest } : latest.current.reckoned };
  });
  useEffect(() => {
    const timer = setInterval(() => setBasis(latest.current), STEADY_MS);
    return () => clearInterval(timer);
  }, []);

  return { entry: answer.qty === null ? entry : { ...entry, qty: answer.qty }, answer, obstacle, terms, entryFor };
}

function reckonedFor(kind: PriceKind, { reckoned }: Basis): OrderPreview | null {
  return reckoned?.kind === kind ? reckoned.preview : null;
}

/** What an amount is compared with: what a purchase takes with its fee, and what a sale is worth before its costs. */
function comesTo(side: OrderSide, { total, amount }: OrderPreview): number {
  return side === 'buy' ? total : amount;
}

function isSame(one: OrderPreview | null, other: OrderPreview): boolean {
  return one !== null && one.price === other.price && one.fxRate === other.fxRate;
}
