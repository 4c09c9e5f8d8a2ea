import type { Fill, Order } from '@/shared/api/types';

/** A fill pushed by the market. */
export interface FillEvent {
  fill: Partial<Fill> & { orderSid: number };
  order: Partial<Order> & { isuSrtCd?: string; isuKorNm?: string };
  /** The original message, for fields that are not typed here. */
  raw: Readonly<Record<string, unknown>>;
}

type FillListener = (event: FillEvent) => void;
/** Replies received before `beforeMs`, by the device's clock, may lack a fill; Infinity means any reply, pending ones included. */
type GapListener = (beforeMs: number) => void;

const fillListeners = new Set<FillListener>();
const gapListeners = new Set<GapListener>();

/** Fills from before the first listener, which is loaded after the first screen. */
const MAX_EARLY = 50;
let early: FillEvent[] = [];
let earlyGapMs = 0;

/** Calls back for each new fill of the member, first for those that are pending. Returns the cleanup. */
export function onFill(listener: FillListener): () => void {
  fillListeners.add(listener);
  const pending = early;
  early = [];
  for (const event of pending) listener(event);
  return () => fillListeners.delete(listener);
}

/** Calls back when fills may have been missed and orders and holdings must be refetched. Returns the cleanup. */
export function onFillGap(listener: GapListener): () => void {
  gapListeners.add(listener);
  if (earlyGapMs > 0) listener(earlyGapMs);
  earlyGapMs = 0;
  return () => gapListeners.delete(listener);
}

/** The member has changed. */
export function clearEarlyFills(): void {
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
