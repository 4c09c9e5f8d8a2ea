import type { Order, OrderTerms } from '@/shared/api/types';
import { isMissing } from '@/shared/format/number';
import { EMPTY_ENTRY, entryValue, type KeypadEntry, type KeypadKey, type KeypadRules, prefilled, pressKey } from '@/shared/ui/amountEntry';
import type { QtyRatio } from '@/shared/ui/QtyChips';
import type { OrderEntry } from '@/features/order/rules/orderCheck';
import type { OrderSide, PriceKind } from '@/features/order/rules/orderSides';
import { decimalsOfStep } from '@/features/order/rules/quantity';
import { tickAt } from '@/features/order/rules/ticks';

export type OrderField = 'price' | 'qty';

/** What the quantity is said in: shares, coins or grams themselves, or the won it is to come to. */
export type Measure = 'qty' | 'amount';

/** What the sheet holds while an order is being made. */
export interface OrderForm {
  kind: PriceKind;
  /** The field the keypad writes into. */
  field: OrderField;
  measure: Measure;
  price: KeypadEntry;
  qty: KeypadEntry;
  /** Won, while the quantity is said in them. */
  amount: KeypadEntry;
  /** The chip whose share the quantity is, until a digit changes it. */
  ratio: QtyRatio | null;
}

export type OrderFormEvent =
  | { type: 'key'; key: KeypadKey; rules: KeypadRules }
  | { type: 'field'; field: OrderField }
  | { type: 'kind'; kind: PriceKind; /** Fills an empty price. */ suggestion: number | null; decimals: number }
  | { type: 'measure'; measure: Measure; /** What has been typed so far, in the new measure. */ value: number | null; decimals: number }
  | { type: 'price'; price: number; decimals: number }
  | { type: 'ratio'; ratio: QtyRatio; measure: Measure; value: number; decimals: number }
  | { type: 'follow'; before: Order; after: Order; terms: OrderTerms };

export const NEW_ORDER: OrderForm = {
  kind: 'market',
  field: 'qty',
  measure: 'qty',
  price: EMPTY_ENTRY,
  qty: EMPTY_ENTRY,
  amount: EMPTY_ENTRY,
  ratio: null,
};

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
    case 'measure':
      return { ...form, measure: event.measure, [event.measure]: prefilled(event.value, event.decimals), ratio: null, field: 'qty' };
    case 'follow':
      return follow(form, event.before, formOf(event.after, event.terms));
    case 'price':
      return { ...form, price: prefilled(event.price, event.decimals), field: 'price' };
    case 'ratio':
      return { ...form, measure: event.measure, [event.measure]: prefilled(event.value, event.decimals), ratio: event.ratio, field: 'qty' };
  }
}

/** The entry of a field, of the quantity in the measure that is being typed. */
export function entryIn(form: OrderForm, field: OrderField): KeypadEntry {
  return field === 'price' ? form.price : form[form.measure];
}

/** What is asked for. `qtyOf` says how many can be had for an amount, null while no price is known to tell. */
export function entryOf(form: OrderForm, side: OrderSide, qtyOf: (amountWon: number, limitPrice: number | null) => number | null): OrderEntry {
  const limitPrice = entryValue(form.price);
  const amount = entryValue(form.amount);
  const qty = form.measure === 'qty' ? entryValue(form.qty) : amount === null ? null : qtyOf(amount, limitPrice);
  return { side, kind: form.kind, limitPrice, qty };
}

/** How many digits a field takes: the price by its tick, the quantity by its step, won none after the point. */
export function rulesFor(field: OrderField, terms: OrderTerms, form: OrderForm): KeypadRules {
  if (field === 'price') return { decimals: priceDecimals(terms, entryValue(form.price)), maxWholeDigits: MAX_WHOLE_DIGITS };
  return { decimals: form.measure === 'amount' ? 0 : decimalsOfStep(terms.qtyStep), maxWholeDigits: MAX_WHOLE_DIGITS };
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
  const before = entryIn(form, form.field);
  const after = pressKey(before, key, rules);
  if (after === before) return form;
  return form.field === 'price' ? { ...form, price: after } : { ...form, [form.measure]: after, ratio: null };
}

// Coming back to a field selects it whole, as a text field would: the next digit starts a new one.
function withField(form: OrderForm, field: OrderField): OrderForm {
  if (form.field === field) return form;
  const entry = entryIn(form, field);
  const selected = { ...entry, isFresh: entry.text !== '' };
  return { ...form, field, [field === 'price' ? 'price' : form.measure]: selected };
}

// Figures that are still those of the waiting order stay so; what the member has typed stays too.
function follow(form: OrderForm, before: Order, filled: OrderForm): OrderForm {
  const isQtyUntouched = entryValue(form.qty) === before.remainQty;
  const isPriceUntouched = entryValue(form.price) === (before.juPrc ?? null);
  return { ...form, qty: isQtyUntouched ? filled.qty : form.qty, price: isPriceUntouched ? filled.price : form.price };
}
