import type { Order, OrderTerms } from '@/shared/api/types';
import { isMissing } from '@/shared/format/number';
import { EMPTY_ENTRY, entryValue, type KeypadEntry, type KeypadKey, type KeypadRules, prefilled, pressKey } from '@/shared/ui/amountEntry';
import type { QtyRatio } from '@/shared/ui/QtyChips';
import type { OrderEntry } from './orderCheck';
import type { OrderSide, PriceKind } from './orderSides';
import { decimalsOfStep } from './quantity';
import { tickAt } from './ticks';

export type OrderField = 'price' | 'qty';

/** What the sheet holds while an order is being made. */
export interface OrderForm {
  kind: PriceKind;
  /** The field the keypad writes into. */
  field: OrderField;
  price: KeypadEntry;
  qty: KeypadEntry;
  /** The chip whose share the quantity is, until a digit changes it. */
  ratio: QtyRatio | null;
}

export type OrderFormEvent =
  | { type: 'key'; key: KeypadKey; rules: KeypadRules }
  | { type: 'field'; field: OrderField }
  | { type: 'kind'; kind: PriceKind; /** Fills an empty price. */ suggestion: number | null; decimals: number }
  | { type: 'price'; price: number; decimals: number }
  | { type: 'ratio'; ratio: QtyRatio; qty: number; decimals: number };

export const NEW_ORDER: OrderForm = { kind: 'market', field: 'qty', price: EMPTY_ENTRY, qty: EMPTY_ENTRY, ratio: null };

/** The form filled in with what waits, its price or else its quantity ready to be typed over. */
export function formOf({ juPrc, remainQty }: Order, terms: OrderTerms): OrderForm {
  const qty = prefilled(remainQty, decimalsOfStep(terms.qtyStep));
  if (isMissing(juPrc)) return { ...NEW_ORDER, qty };
  return { ...NEW_ORDER, kind: 'limit', field: 'price', price: prefilled(juPrc, priceDecimals(terms, juPrc)), qty };
}

export function orderForm(form: OrderForm, event: OrderFormEvent): OrderForm {
  switch (event.type) {
    case 'key':
      return pressInField(form, event.key, event.rules);
    case 'field':
      return withField(form, event.field);
    case 'kind': {
      if (event.kind === 'market') return { ...form, kind: 'market', field: 'qty' };
      const price = form.price.text === '' ? prefilled(event.suggestion, event.decimals) : form.price;
      return { ...form, kind: 'limit', price, field: 'price' };
    }
    case 'price':
      return { ...form, price: prefilled(event.price, event.decimals), field: 'price' };
    case 'ratio':
      return { ...form, qty: prefilled(event.qty, event.decimals), ratio: event.ratio, field: 'qty' };
  }
}

export function entryOf(form: OrderForm, side: OrderSide): OrderEntry {
  return { side, kind: form.kind, limitPrice: entryValue(form.price), qty: entryValue(form.qty) };
}

/** How many digits a field takes: the price by its tick, the quantity by its step. */
export function rulesFor(field: OrderField, terms: OrderTerms, form: OrderForm): KeypadRules {
  if (field === 'qty') return { decimals: decimalsOfStep(terms.qtyStep), maxWholeDigits: MAX_WHOLE_DIGITS };
  return { decimals: priceDecimals(terms, entryValue(form.price)), maxWholeDigits: MAX_WHOLE_DIGITS };
}

/** Digits after the point a price may have: the finest its tick table reaches at or below that price. */
export function priceDecimals(terms: OrderTerms, price: number | null): number {
  const reachable = terms.tickTable.filter(({ from }) => price === null || from <= price).map(({ tick }) => tick);
  const finest = Math.min(...(reachable.length > 0 ? reachable : [tickAt(price ?? 0, terms.tickTable) ?? 1]));
  return decimalsOfStep(finest);
}

// Enough for the largest order there is, in the cheapest thing there is.
const MAX_WHOLE_DIGITS = 12;

function pressInField(form: OrderForm, key: KeypadKey, rules: KeypadRules): OrderForm {
  const before = form[form.field];
  const after = pressKey(before, key, rules);
  if (after === before) return form;
  return form.field === 'price' ? { ...form, price: after } : { ...form, qty: after, ratio: null };
}

// Coming back to a price selects it whole, as a text field would: the next digit starts a new one.
function withField(form: OrderForm, field: OrderField): OrderForm {
  if (form.field === field) return form;
  const isFresh = form[field].text !== '';
  return field === 'price'
    ? { ...form, field, price: { ...form.price, isFresh } }
    : { ...form, field, qty: { ...form.qty, isFresh } };
}
