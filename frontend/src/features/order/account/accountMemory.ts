import type { Category } from '@/shared/api/assets';
import { readDraft, removeDraft, writeDraft } from '@/shared/platform/memberDrafts';
import type { OrderSide } from '@/features/order/rules/orderSides';

/** The account a member ordered a category from last, on this device; null before the first order. */
export function lastAccount(memberSid: number, category: Category): string | null {
  try {
    return numberIn(localStorage.getItem(keyOf(memberSid, category)));
  } catch {
    return null;
  }
}

export function rememberAccount(memberSid: number, category: Category, acno: string): void {
  try {
    localStorage.setItem(keyOf(memberSid, category), acno);
  } catch {
    // Storage is unavailable: the next order starts with the basic account.
  }
}

interface PickKey {
  memberSid: number;
  code: string;
  side: OrderSide;
}

/** The account picked in an open sheet, which a reload keeps. */
export function storedPick({ memberSid, code, side }: PickKey): string | null {
  try {
    return numberIn(readDraft(memberSid, `account ${side} ${code}`));
  } catch {
    return null;
  }
}

/** Stores the picked account; null clears it. */
export function storePick({ memberSid, code, side }: PickKey, acno: string | null): void {
  try {
    if (acno === null) removeDraft(memberSid, `account ${side} ${code}`);
    else writeDraft(memberSid, `account ${side} ${code}`, acno);
  } catch {
    // Storage is unavailable: a reload starts with the default account.
  }
}

function keyOf(memberSid: number, category: Category): string {
  return `order-account ${String(memberSid)} ${category}`;
}

// Stored data may be edited; anything else would be refused by the server.
function numberIn(stored: string | null): string | null {
  return stored !== null && /^(00|\d{12})$/.test(stored) ? stored : null;
}
