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

/** Calls back for each new fill of the signed-in member. Returns the function that stops it. */
export function onFill(listener: FillListener): () => void {
  fillListeners.add(listener);
  return () => fillListeners.delete(listener);
}

/** Calls back when fills may have been missed: read orders and holdings anew. */
export function onFillGap(listener: GapListener): () => void {
  gapListeners.add(listener);
  return () => gapListeners.delete(listener);
}

export function emitFill(event: FillEvent): void {
  for (const listener of fillListeners) listener(event);
}

export function emitFillGap(): void {
  for (const listener of gapListeners) listener();
}
