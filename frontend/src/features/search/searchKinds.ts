import { create } from 'zustand';
import type { components } from '@/shared/api/schema';
import { paths } from '@/shared/paths';

export const SEARCH_KINDS = ['product', 'stock', 'etf', 'coin', 'gold'] as const;
export type SearchKind = (typeof SEARCH_KINDS)[number];
export type InstrumentKind = Exclude<SearchKind, 'product'>;

export const KIND_ON_WIRE = {
  product: 'PRODUCT',
  stock: 'STOCK',
  etf: 'ETF',
  coin: 'COIN',
  gold: 'GOLD',
} as const satisfies Record<SearchKind, components['schemas']['ItemKind']>;

/** The list to open when the search is closed. */
export const LIST_OF_KIND: Readonly<Record<SearchKind, string>> = {
  product: paths.productList,
  stock: paths.stockList,
  etf: `${paths.stockList}?tab=etf`,
  coin: paths.coinList,
  gold: paths.goldList,
};

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
