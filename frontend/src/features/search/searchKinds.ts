import { create } from 'zustand';
import { ASSETS, INSTRUMENT_KINDS, type InstrumentKind } from '@/shared/api/assets';
import type { components } from '@/shared/api/schema';

export type SearchKind = InstrumentKind | 'product';
export const SEARCH_KINDS: readonly SearchKind[] = ['product', ...INSTRUMENT_KINDS];

/** A kind in requests. */
export function typeOf(kind: SearchKind): components['schemas']['ItemKind'] {
  if (kind === 'product') return 'PRODUCT';
  return kind === 'etf' ? 'ETF' : ASSETS[kind].type;
}

/** Whether a competition offers the kind. */
export function isInCompetitions(kind: SearchKind): boolean {
  return kind === 'stock' || kind === 'etf';
}

const STORAGE_KEY = 'search-kind';

const useKindStore = create<{ chosen: SearchKind | null }>(() => ({ chosen: stored() }));

/** The kind chosen in this session; before any choice, the one the search was opened for. */
export function useSearchKind(openedFor: SearchKind): [SearchKind, (kind: SearchKind) => void] {
  return [useKindStore(({ chosen }) => chosen) ?? openedFor, chooseSearchKind];
}

/** Stores the choice for the browser session; null clears it. */
export function chooseSearchKind(kind: SearchKind | null): void {
  useKindStore.setState({ chosen: kind });
  try {
    if (kind === null) sessionStorage.removeItem(STORAGE_KEY);
    else sessionStorage.setItem(STORAGE_KEY, kind);
  } catch {
    // Storage is unavailable: the choice lasts until the page is closed.
  }
}

function stored(): SearchKind | null {
  try {
    const kept = sessionStorage.getItem(STORAGE_KEY);
    return SEARCH_KINDS.find((kind) => kind === kept) ?? null;
  } catch {
    return null;
  }
}
