import { recordDigits } from '@/shared/api/exactDigits';
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
  store([...attempts(), attempt].slice(-MAX_STORED));
}

/** Trading has answered to this very request id. */
export function forgetOrder(reqSid: string): void {
  store(attempts().filter(({ body }) => body.reqSid !== reqSid));
}

/** Makes one place responsible for an order, so that nobody else asks after it. Returns the function that ends this. */
export function lockOrder(reqSid: string): () => void {
  locks.set(reqSid, (locks.get(reqSid) ?? 0) + 1);
  return () => {
    const lockCount = (locks.get(reqSid) ?? 1) - 1;
    if (lockCount > 0) locks.set(reqSid, lockCount);
    else locks.delete(reqSid);
  };
}

export function isLocked(reqSid: string): boolean {
  return locks.has(reqSid);
}

const locks = new Map<string, number>();
const STORAGE_KEY = 'unresolved-orders';
const MAX_STORED = 50;
// Where a page may store nothing they are at least kept until it goes away.
let inMemory: OrderAttempt[] | null = null;

function attempts(): OrderAttempt[] {
  if (inMemory !== null) return inMemory;
  try {
    const stored = sessionStorage.getItem(STORAGE_KEY) ?? '[]';
    // After a reload an order is sent again with the very digits it was sent with.
    recordDigits(stored);
    return JSON.parse(stored) as OrderAttempt[];
  } catch {
    return [];
  }
}

function store(list: OrderAttempt[]): void {
  try {
    sessionStorage.setItem(STORAGE_KEY, plainJson(list));
    inMemory = null;
  } catch {
    inMemory = list;
  }
}
