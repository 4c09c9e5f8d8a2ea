import type { Fill, Order } from '@/shared/api/types';

/** A fill pushed by the market: what a toast says and why balances must be read anew. */
export interface FillEvent {
  fill: Partial<Fill> & { orderSid: number };
  order: Partial<Order> & { isuSrtCd?: string; isuKorNm?: string };
  /** The message as it came, for fields that are not typed here. */
  raw: Readonly<Record<string, unknown>>;
}

type FillListener = (event: FillEvent) => void;
type GapListener = () => void;

const fillListeners = new Set<FillListener>();
const gapListeners = new Set<GapListener>();

/** What came before anybody listened: whoever tells of fills is fetched after the first screen. */
const MOST_EARLY = 50;
let early: FillEvent[] = [];
let hasEarlyGap = false;

/** Calls back for each new fill of the signed-in member, first for those that nobody has heard of. Returns the function that stops it. */
export function onFill(listener: FillListener): () => void {
  fillListeners.add(listener);
  const unheard = early;
  early = [];
  for (const event of unheard) listener(event);
  return () => fillListeners.delete(listener);
}

/** Calls back when fills may have been missed: read orders and holdings anew. */
export function onFillGap(listener: GapListener): () => void {
  gapListeners.add(listener);
  if (hasEarlyGap) listener();
  hasEarlyGap = false;
  return () => gapListeners.delete(listener);
}

/** Another member is signed in, or nobody. */
export function forgetEarlyFills(): void {
  early = [];
  hasEarlyGap = false;
}

export function emitFill(event: FillEvent): void {
  if (fillListeners.size === 0) early = [...early, event].slice(-MOST_EARLY);
  for (const listener of fillListeners) listener(event);
}

export function emitFillGap(): void {
  hasEarlyGap = gapListeners.size === 0;
  for (const listener of gapListeners) listener();
}
