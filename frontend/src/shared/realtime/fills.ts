import type { Fill, Order } from '@/shared/api/types';

/** A fill pushed by the market: what a toast says and why balances must be read anew. */
export interface FillEvent {
  fill: Partial<Fill> & { orderSid: number };
  order: Partial<Order> & { isuSrtCd?: string; isuKorNm?: string };
  /** The message as it came, for fields that are not typed here. */
  raw: Readonly<Record<string, unknown>>;
}

type FillListener = (event: FillEvent) => void;
/** Answers that came before `beforeMs`, by the device's clock, may lack a fill; all that came or are under way where it is Infinity. */
type GapListener = (beforeMs: number) => void;

const fillListeners = new Set<FillListener>();
const gapListeners = new Set<GapListener>();

/** What came before anybody listened: whoever tells of fills is fetched after the first screen. */
const MAX_EARLY = 50;
let early: FillEvent[] = [];
let earlyGapMs = 0;

/** Calls back for each new fill of the signed-in member, first for those that nobody has heard of. Returns the function that stops it. */
export function onFill(listener: FillListener): () => void {
  fillListeners.add(listener);
  const pending = early;
  early = [];
  for (const event of pending) listener(event);
  return () => fillListeners.delete(listener);
}

/** Calls back when fills may have been missed: read orders and holdings anew. Returns the function that stops it. */
export function onFillGap(listener: GapListener): () => void {
  gapListeners.add(listener);
  if (earlyGapMs > 0) listener(earlyGapMs);
  earlyGapMs = 0;
  return () => gapListeners.delete(listener);
}

/** Another member is signed in, or nobody. */
export function forgetEarlyFills(): void {
  early = [];
  earlyGapMs = 0;
}

export function emitFill(event: FillEvent): void {
  if (fillListeners.size === 0) early = [...early, event].slice(-MAX_EARLY);
  for (const listener of fillListeners) listener(event);
}

export function emitFillGap(beforeMs = Infinity): void {
  if (gapListeners.size === 0) earlyGapMs = Math.max(earlyGapMs, beforeMs);
  for (const listener of gapListeners) listener(beforeMs);
}
