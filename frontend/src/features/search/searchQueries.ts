import { infiniteQueryOptions } from '@tanstack/react-query';
import { api, unwrap } from '@/shared/api/client';
import { ApiProblem } from '@/shared/api/apiProblem';
import type { Item } from '@/shared/api/types';

export type SearchKind = 'stock' | 'etf' | 'coin' | 'gold';

const FRESH_MS = 5 * 60_000;
const KEPT_MS = 10 * 60_000;
const PAGE_SIZE = 20;

/** Instruments that match a text, twenty at a time; a failed list counts as empty. */
export function searchQuery(kind: SearchKind, text: string) {
  const searchTxt = text.normalize('NFC').trim();
  return infiniteQueryOptions({
    queryKey: ['search', kind, searchTxt],
    enabled: searchTxt !== '',
    staleTime: FRESH_MS,
    gcTime: KEPT_MS,
    initialPageParam: 1,
    queryFn: async ({ pageParam, signal }): Promise<Item[]> => {
      try {
        return await find(kind, searchTxt, pageParam, signal);
      } catch (problem) {
        if (problem instanceof ApiProblem) return [];
        throw problem;
      }
    },
    getNextPageParam: (last: Item[], pages) => (last.length === PAGE_SIZE ? pages.length + 1 : undefined),
  });
}

function find(kind: SearchKind, searchTxt: string, searchPage: number, signal: AbortSignal): Promise<Item[]> {
  if (kind === 'coin') {
    return unwrap(api.GET('/api/v1/coin/search/get-coin-list', { params: { query: { searchTxt, searchPage } }, signal }));
  }
  if (kind === 'gold') return unwrap(api.GET(GOLD_SEARCH, { params: { query: { searchTxt, searchPage } }, signal }));
  const searchType = kind === 'etf' ? 'ETF' : 'CS';
  return unwrap(
    api.GET('/api/v1/stock/search/get-stock-list', { params: { query: { searchTxt, searchType, searchPage } }, signal }),
  );
}

// Answers as the coin route does.
const GOLD_SEARCH = '/api/v1/commodity/search/get-commodity-list' as '/api/v1/coin/search/get-coin-list';
