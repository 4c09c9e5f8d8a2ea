import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { ApiProblem } from '@/shared/api/apiProblem';
import { categoryOfKind, type InstrumentKind, routeOf } from '@/shared/api/assets';
import { api, unwrap } from '@/shared/api/client';
import { queryKeys } from '@/shared/api/queryKeys';
import { memberSid } from '@/shared/api/session';
import type { Item, Product } from '@/shared/api/types';

/** The server's page size; a full page may not be the last. */
export const PAGE_SIZE = 20;

const STALE_TIME_MS = 5 * 60_000;
const KEPT_MS = 10 * 60_000;
const POPULAR_STALE_TIME_MS = 60_000;

/** Instruments matching a text, twenty per page; a failed list counts as empty. */
export function searchQuery(kind: InstrumentKind, text: string) {
  return infiniteQueryOptions({
    ...cacheOf(kind, text),
    queryFn: async ({ pageParam, signal }): Promise<Item[]> => {
      try {
        return await findItems(kind, searchText(text), pageParam, signal);
      } catch (problem) {
        if (problem instanceof ApiProblem) return [];
        throw problem;
      }
    },
    initialPageParam: 1,
    getNextPageParam: (last: Item[], pages) => (last.length === PAGE_SIZE ? pages.length + 1 : undefined),
  });
}

/** Products matching a text. Failures are reported. */
export function productSearchQuery(text: string) {
  return infiniteQueryOptions({
    ...cacheOf('product', text),
    queryFn: ({ pageParam, signal }): Promise<Product[]> => {
      const query = { searchTxt: searchText(text), searchPage: pageParam };
      return unwrap(api.GET('/api/v1/product/search/get-product-list', { params: { query }, signal }));
    },
    initialPageParam: 1,
    getNextPageParam: (last: Product[], pages) => (last.length === PAGE_SIZE ? pages.length + 1 : undefined),
  });
}

/** Popular products, shown before anything is typed. */
export function popularProductsQuery() {
  return queryOptions({
    queryKey: [...queryKeys.popular, 'search', 'product', memberSid()],
    staleTime: POPULAR_STALE_TIME_MS,
    queryFn: async ({ signal }): Promise<Product[]> => {
      const all = await unwrap(api.GET('/api/v1/product/product', { params: { query: { sort: 'popular' } }, signal }));
      return all.slice(0, PAGE_SIZE);
    },
  });
}

// The reply contains the member's own hearts, so it is cached by member.
function cacheOf(kind: string, text: string) {
  return {
    queryKey: [...queryKeys.market, 'search', kind, searchText(text), memberSid()],
    enabled: searchText(text) !== '',
    staleTime: STALE_TIME_MS,
    gcTime: KEPT_MS,
  };
}

function searchText(text: string): string {
  return text.normalize('NFC').trim();
}

function findItems(kind: InstrumentKind, searchTxt: string, searchPage: number, signal: AbortSignal): Promise<Item[]> {
  const category = categoryOfKind(kind);
  const searchType = kind === 'etf' ? ('ETF' as const) : ('CS' as const);
  const query = { searchTxt, searchPage, ...(category === 'stock' && { searchType }) };
  return unwrap(api.GET(routeOf(category, '/api/v1/stock/search/get-stock-list'), { params: { query }, signal }));
}
