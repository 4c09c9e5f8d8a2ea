import { learnDigits } from '@/shared/api/exactDigits';
import { plainJson } from '@/shared/api/plainJson';
import type { OrderAttempt } from './orderAttempt';

/**
 * Orders that were sent and of which trading has not said what became of them, oldest first. They are kept for the life of the
 * tab: neither another order nor closing the sheet, a reload or a new login may lose the request id that makes them one order.
 */
export function unresolvedOrders(memberSid: number): OrderAttempt[] {
  return attempts().filter(({ body }) => body.memberSid === memberSid);
}

export function isUnresolved(reqSid: string): boolean {
  return attempts().some(({ body }) => body.reqSid === reqSid);
}

/** Before it is sent, because a page may go away while an order is on its way. */
export function rememberOrder(attempt: OrderAttempt): void {
  if (isUnresolved(attempt.body.reqSid)) return;
  keep([...attempts(), attempt].slice(-MOST_KEPT));
}

/** Trading has answered to this very request id. */
export function forgetOrder(reqSid: string): void {
  keep(attempts().filter(({ body }) => body.reqSid !== reqSid));
}

/** Makes one place responsible for an order, so that nobody else asks after it. Returns the function that ends this. */
export function holdOrder(reqSid: string): () => void {
  held.set(reqSid, (held.get(reqSid) ?? 0) + 1);
  return () => {
    const holders = (held.get(reqSid) ?? 1) - 1;
    if (holders > 0) held.set(reqSid, holders);
    else held.delete(reqSid);
  };
}

export function isHeld(reqSid: string): boolean {
  return held.has(reqSid);
}

const held = new Map<string, number>();
const STORED_AS = 'unresolved-orders';
const MOST_KEPT = 50;
// Where a page may store nothing they are at least kept until it goes away.
let unstored: OrderAttempt[] | null = null;

function attempts(): OrderAttempt[] {
  if (unstored !== null) return unstored;
  try {
    const stored = sessionStorage.getItem(STORED_AS) ?? '[]';
    // After a reload an order is sent again with the very digits it was sent with.
    learnDigits(stored);
    return JSON.parse(stored) as OrderAttempt[];
  } catch {
    return [];
  }
}

function keep(list: OrderAttempt[]): void {
  try {
    sessionStorage.setItem(STORED_AS, plainJson(list));
    unstored = null;
  } catch {
    unstored = list;
  }
}
