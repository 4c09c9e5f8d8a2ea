import { recordDigits } from '@/shared/api/exactDigits';
import { plainJson } from '@/shared/api/plainJson';
import type { OrderAttempt } from './orderAttempt';

/**
 * Orders sent without a known outcome, oldest first. They are stored for the life of the tab: no other order, reload or login
 * may lose the request id that makes a retry idempotent.
 */
export function unresolvedOrders(memberSid: number): OrderAttempt[] {
  return attempts().filter(({ body }) => body.memberSid === memberSid);
}

export function isUnresolved(reqSid: string): boolean {
  return attempts().some(({ body }) => body.reqSid === reqSid);
}

/** Called before sending, because the page may go away while the order is on its way. */
export function rememberOrder(attempt: OrderAttempt): void {
  if (isUnresolved(attempt.body.reqSid)) return;
  store([...attempts(), attempt].slice(-MAX_STORED));
}

/** Called once trading has answered to this request id. */
export function forgetOrder(reqSid: string): void {
  store(attempts().filter(({ body }) => body.reqSid !== reqSid));
}

/** Claims an order, so that only one place polls its outcome. Returns the release. */
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
// Used where session storage is unavailable.
let inMemory: OrderAttempt[] | null = null;

function attempts(): OrderAttempt[] {
  if (inMemory !== null) return inMemory;
  try {
    const stored = sessionStorage.getItem(STORAGE_KEY) ?? '[]';
    // After a reload an order is sent again with its original digits.
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
