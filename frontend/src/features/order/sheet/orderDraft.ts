import { useEffect } from 'react';
import type { OrderSide } from '@/features/order/rules/orderSides';
import { readDraft, removeDraft, writeDraft } from '@/shared/platform/memberDrafts';
import { NEW_ORDER, type OrderForm, selected } from './orderForm';

interface DraftKey {
  memberSid: number;
  code: string;
  side: OrderSide;
}

/** The form stored before a reload, whose figures the first digit replaces; null when there is none. */
export function storedDraft(key: DraftKey): OrderForm | null {
  try {
    const stored: unknown = JSON.parse(readDraft(key.memberSid, nameOf(key)) ?? 'null');
    return isForm(stored) ? { ...stored, price: selected(stored.price), qty: selected(stored.qty), amount: selected(stored.amount) } : null;
  } catch {
    return null;
  }
}

/** Stores the form across reloads and clears it when the sheet is closed. A null key stores nothing. */
export function usePersistedDraft(key: DraftKey | null, form: OrderForm): void {
  const text = key === null ? '' : JSON.stringify(key);
  useEffect(() => {
    if (text !== '') storeDraft(JSON.parse(text) as DraftKey, form);
  }, [text, form]);
  useEffect(
    () => () => {
      if (text !== '') clearDraft(JSON.parse(text) as DraftKey);
    },
    [text],
  );
}

function storeDraft(key: DraftKey, form: OrderForm): void {
  try {
    if (form === NEW_ORDER) clearDraft(key);
    else writeDraft(key.memberSid, nameOf(key), JSON.stringify(form));
  } catch {
    // Storage is unavailable: the next page starts with an empty form.
  }
}

function clearDraft(key: DraftKey): void {
  try {
    removeDraft(key.memberSid, nameOf(key));
  } catch {
    // Storage is unavailable: nothing was stored.
  }
}

function nameOf({ code, side }: DraftKey): string {
  return `${side} ${code}`;
}

// Stored data may come from another release or be edited, so its shape is checked.
function isForm(value: unknown): value is OrderForm {
  if (typeof value !== 'object' || value === null) return false;
  const form = value as Record<keyof OrderForm, unknown>;
  const areEntries = [form.price, form.qty, form.amount].every(isEntry);
  const isKnown = ['market', 'limit'].includes(String(form.kind)) && ['price', 'qty'].includes(String(form.field));
  return areEntries && isKnown && ['qty', 'amount'].includes(String(form.measure));
}

function isEntry(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { text, isFresh } = value as Record<string, unknown>;
  return typeof text === 'string' && /^(\d{1,12}(\.\d{0,8})?)?$/.test(text) && typeof isFresh === 'boolean';
}
