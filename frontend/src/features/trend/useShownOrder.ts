import { type RefObject, useEffect, useMemo, useState } from 'react';
import type { Item } from '@/shared/api/types';
import { liveQuote, quoteChange } from '@/shared/realtime/useTick';

/** The change by which rows are re-ranked; null keeps the server's order. */
export type RankedBy = 'rise' | 'fall' | null;

/** Between two re-rankings. */
const REORDER_MS = 5_000;

/**
 * Instruments ranked by the changes their rows show: the server ranks once a minute, and prices move meanwhile. Rows move every
 * few seconds at most, and never while the list is touched.
 */
export function useShownOrder(items: readonly Item[], by: RankedBy, list: RefObject<HTMLElement | null>): readonly Item[] {
  const count = useIntervalCount(by === null ? null : REORDER_MS);
  const isTouched = useIsTouched(list);
  // The prices live outside React; `count` triggers a new ranking.
  // eslint-disable-next-line react-hooks/exhaustive-deps
  const ranked = useMemo(() => rank(items, by), [items, by, count]);
  const [shown, setShown] = useState(ranked);
  if (shown !== ranked && !isTouched) setShown(ranked);
  return shown;
}

function rank(items: readonly Item[], by: RankedBy): readonly Item[] {
  if (by === null) return items;
  const sign = by === 'rise' ? 1 : -1;
  const changes = new Map(items.map((item) => [item, sign * quoteChange(liveQuote(item))]));
  return [...items].sort((a, b) => (changes.get(b) ?? 0) - (changes.get(a) ?? 0));
}

function useIntervalCount(everyMs: number | null): number {
  const [count, setTurn] = useState(0);
  useEffect(() => {
    if (everyMs === null) return;
    const timer = setInterval(() => setTurn((before) => before + 1), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return count;
}

function useIsTouched(element: RefObject<HTMLElement | null>): boolean {
  const [isTouched, setTouched] = useState(false);
  useEffect(() => {
    const touched = element.current;
    const abort = new AbortController();
    const options = { signal: abort.signal, passive: true };
    touched?.addEventListener('touchstart', () => setTouched(true), options);
    for (const end of ['touchend', 'touchcancel']) touched?.addEventListener(end, () => setTouched(false), options);
    return () => abort.abort();
  }, [element]);
  return isTouched;
}
