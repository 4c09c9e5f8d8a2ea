import { type Dispatch, useState } from 'react';
import type { OrderTerms } from '@/shared/api/types';
import { quantity } from '@/shared/format/number';
import { won } from '@/shared/format/won';
import { EMPTY_ENTRY, entryValue, type KeypadEntry, prefilled } from '@/shared/ui/amountEntry';
import type { QtyRatio } from '@/shared/ui/QtyChips';
import { orderCopy } from '@/features/order/copy';
import type { OrderIssue } from '@/features/order/rules/orderCheck';
import type { OrderSide } from '@/features/order/rules/orderSides';
import { amountForRatio, decimalsOfStep, maxQty, qtyForRatio } from '@/features/order/rules/quantity';
import { type Measure, type OrderForm, type OrderFormEvent } from './orderForm';

interface Fitted {
  form: OrderForm;
  dispatch: Dispatch<OrderFormEvent>;
  side: OrderSide;
  terms: OrderTerms;
  issue: OrderIssue | null;
  unit: string;
  /** The figures are being confirmed, or the terms are those of another account. */
  isFrozen: boolean;
  /** The form is a stored draft. */
  isDraft: boolean;
  /** The terms are those at the price of the form. */
  isAtPrice: boolean;
}

/**
 * Keeps the form within the present capacity: a chosen share follows it, and a stored draft that no longer fits is cut once.
 * Figures the member has typed stay. Returns a note about the cut, until `forget` is called.
 */
export function useFittedForm({ form, dispatch, side, terms, issue, unit, isFrozen, isDraft, isAtPrice }: Fitted) {
  const [isChecked, setChecked] = useState(!isDraft);
  const [note, setNote] = useState<string | null>(null);

  if (!isFrozen && form.ratio !== null) {
    const entry = shareOf(form.ratio, form.measure, side, terms);
    if (entry.text !== form[form.measure].text) dispatch({ type: 'refit', entry });
  }
  if (!isFrozen && !isChecked && isAtPrice) {
    setChecked(true);
    if (form.ratio === null && isTooMuch(issue)) {
      const isAmount = form.measure === 'amount' && side === 'buy';
      const entry = shareOf(100, isAmount ? 'amount' : 'qty', side, terms);
      if (isAmount || form.measure === 'qty') dispatch({ type: 'refit', entry });
      else dispatch({ type: 'measure', measure: 'qty', value: entryValue(entry), decimals: decimalsOfStep(terms.qtyStep) });
      const most = entryValue(entry);
      setNote(most === null ? orderCopy.nothingFits : orderCopy.cut(isAmount ? won(most) : quantity(most) + unit));
    }
  }

  return { note, forget: () => setNote(null) };
}

/** A share of what an order may take, in a measure; an amount is one of a buy. */
export function shareOf(ratio: QtyRatio, measure: Measure, side: OrderSide, terms: OrderTerms): KeypadEntry {
  if (measure === 'amount') return entryFor(amountForRatio(terms.availableCash, ratio), 0);
  return entryFor(qtyForRatio(maxQty(terms, side), ratio, terms.qtyStep), decimalsOfStep(terms.qtyStep));
}

function entryFor(value: number, decimals: number): KeypadEntry {
  return value > 0 ? prefilled(value, decimals) : EMPTY_ENTRY;
}

/** Whether an entry exceeds what can be ordered. */
export function isTooMuch(issue: OrderIssue | null): boolean {
  return issue?.kind === 'over-cash' || issue?.kind === 'over-amount' || issue?.kind === 'over-holding';
}
