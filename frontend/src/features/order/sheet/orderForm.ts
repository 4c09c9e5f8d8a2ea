import type { Order, OrderTerms } from '@/shared/api/types';
import { isMissing } from '@/shared/format/number';
import { EMPTY_ENTRY, entryValue, type KeypadEntry, type KeypadKey, type KeypadRules, prefilled, pressKey } from '@/shared/ui/amountEntry';
import type { QtyRatio } from '@/shared/ui/QtyChips';
import type { OrderEntry } from '@/features/order/rules/orderCheck';
import type { OrderSide, PriceKind } from '@/features/order/rules/orderSides';
import { decimalsOfStep } from '@/features/order/rules/quantity';
import { tickAt } from '@/features/order/rules/ticks';

export type OrderField = 'price' | 'qty';

/** Whether the quantity is entered in units or as an amount in won. */
export type Measure = 'qty' | 'amount';

export interface OrderForm {
  kind: PriceKind;
  /** The field the keypad types into. */
  field: OrderField;
  measure: Measure;
  price: KeypadEntry;
  qty: KeypadEntry;
  /** In won; used while the measure is `amount`. */
  amount: KeypadEntry;
  /** The selected percent chip, until a digit changes the quantity. */
  ratio: QtyRatio | null;
}

export type OrderFormEvent =
  | { type: 'key'; key: KeypadKey; rules: KeypadRules }
  | { type: 'field'; field: OrderField }
  | { type: 'kind'; kind: PriceKind; /** Fills an empty price. */ suggestion: number | null; decimals: number }
  | { type: 'measure'; measure: Measure; /** What has been typed so far, in the new measure. */ value: number | null; decimals: number }
  | { type: 'price'; price: number; decimals: number }
  | { type: 'ratio'; ratio: QtyRatio; measure: Measure; entry: KeypadEntry }
  /** Replaces the figure of the current measure; the field and a chosen share stay. */
  | { type: 'refit'; entry: KeypadEntry }
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

/** A form prefilled with a waiting order; the first digit replaces its price, or else its quantity. */
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
    case 'refit':
      return { ...form, [form.measure]: event.entry };
    case 'ratio':
      return { ...form, measure: event.measure, [event.measure]: event.entry, ratio: event.ratio, field: 'qty' };
  }
}

/** The entry of a field; the quantity's in the current measure. */
export function entryIn(form: OrderForm, field: OrderField): KeypadEntry {
  return field === 'price' ? form.price : form[form.measure];
}

/** The entry with its figure selected: the next digit replaces it. */
export function selected(entry: KeypadEntry): KeypadEntry {
  return { ...entry, isFresh: entry.text !== '' };
}

/** The entry of a form. `qtyOf` converts an amount into a quantity; null while no price is known. */
export function entryOf(form: OrderForm, side: OrderSide, qtyOf: (amountWon: number, limitPrice: number | null) => number | null): OrderEntry {
  const limitPrice = entryValue(form.price);
  const amount = entryValue(form.amount);
  const qty = form.measure === 'qty' ? entryValue(form.qty) : amount === null ? null : qtyOf(amount, limitPrice);
  // Only of a market buy the amount itself is ordered.
  const isByAmount = form.measure === 'amount' && form.kind === 'market' && side === 'buy' && amount !== null;
  return { side, kind: form.kind, limitPrice, qty, ...(isByAmount ? { amount } : {}) };
}

/** The digits a field takes: by tick size for the price, by quantity step for the quantity, no decimals for won. */
export function rulesFor(field: OrderField, terms: OrderTerms, form: OrderForm): KeypadRules {
  if (field === 'price') return { decimals: priceDecimals(terms, entryValue(form.price)), maxWholeDigits: MAX_WHOLE_DIGITS };
  return { decimals: form.measure === 'amount' ? 0 : decimalsOfStep(terms.qtyStep), maxWholeDigits: MAX_WHOLE_DIGITS };
}

/** The decimals of a price: those of the finest tick at or below it. */
export function priceDecimals(terms: OrderTerms, price: number | null): number {
  const reachable = terms.tickTable.filter(({ from }) => price === null || from <= price).map(({ tick }) => tick);
  const finest = Math.min(...(reachable.length > 0 ? reachable : [tickAt(price ?? 0, terms.tickTable) ?? 1]));
  return decimalsOfStep(finest);
}

// Enough for the largest order of the cheapest instrument.
const MAX_WHOLE_DIGITS = 12;

function pressInField(form: OrderForm, key: KeypadKey, rules: KeypadRules): OrderForm {
  const before = entryIn(form, form.field);
  const after = pressKey(before, key, rules);
  if (after === before) return form;
  return form.field === 'price' ? { ...form, price: after } : { ...form, [form.measure]: after, ratio: null };
}

// A field that is focused again is selected, as a text field would be: the next digit replaces it.
function withField(form: OrderForm, field: OrderField): OrderForm {
  if (form.field === field) return form;
  const entry = entryIn(form, field);
  return { ...form, field, [field === 'price' ? 'price' : form.measure]: selected(entry) };
}

// Untouched figures follow the waiting order; figures the member has typed stay.
function follow(form: OrderForm, before: Order, filled: OrderForm): OrderForm {
  const isQtyUntouched = entryValue(form.qty) === before.remainQty;
  const isPriceUntouched = entryValue(form.price) === (before.juPrc ?? null);
  return { ...form, qty: isQtyUntouched ? filled.qty : form.qty, price: isPriceUntouched ? filled.price : form.price };
}
