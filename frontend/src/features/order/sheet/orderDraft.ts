import { useEffect } from 'react';
import type { OrderSide } from '@/features/order/rules/orderSides';
import { NEW_ORDER, type OrderForm } from './orderForm';

/** Whose order of what is being filled in. */
export interface DraftKey {
  memberSid: number;
  code: string;
  side: OrderSide;
}

/** The figures a reload has interrupted; null when there are none. */
export function storedDraft(key: DraftKey): OrderForm | null {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(nameOf(key)) ?? 'null');
    return isForm(stored) ? stored : null;
  } catch {
    return null;
  }
}

/** A page that goes away keeps the figures; a sheet that is left forgets them. Null keeps nothing. */
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
    else sessionStorage.setItem(nameOf(key), JSON.stringify(form));
  } catch {
    // A page that may store nothing begins anew.
  }
}

function clearDraft(key: DraftKey): void {
  try {
    sessionStorage.removeItem(nameOf(key));
  } catch {
    // Nothing was kept.
  }
}

function nameOf({ memberSid, code, side }: DraftKey): string {
  return `order-draft ${String(memberSid)} ${side} ${code}`;
}

// Storage belongs to the device: what is not the shape of a form of this version is no form.
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
