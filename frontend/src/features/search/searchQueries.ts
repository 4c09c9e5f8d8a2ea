import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '@/shared/api/client';
import { ApiProblem } from '@/shared/api/apiProblem';
import { queryKeys } from '@/shared/api/queryKeys';
import { memberSid } from '@/shared/api/session';
import type { Item, Product } from '@/shared/api/types';
import type { InstrumentKind } from './searchKinds';

/** The server's page size; a full page may not be the last. */
export const PAGE_SIZE = 20;

const STALE_TIME_MS = 5 * 60_000;
const KEPT_MS = 10 * 60_000;
const POPULAR_STALE_TIME_MS = 60_000;
const ANONYMOUS = 0;

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

/** Popular instruments, shown before anything is typed. */
export function popularItemsQuery(kind: InstrumentKind) {
  const who = memberSid();
  return queryOptions({
    queryKey: [...queryKeys.popular, 'search', kind, who],
    staleTime: POPULAR_STALE_TIME_MS,
    queryFn: ({ signal }) => popularItems(kind, who ?? ANONYMOUS, signal),
  });
}

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
  const query = { searchTxt, searchPage };
  switch (kind) {
    case 'coin':
      return unwrap(api.GET('/api/v1/coin/search/get-coin-list', { params: { query }, signal }));
    case 'gold':
      return unwrap(api.GET('/api/v1/commodity/search/get-commodity-list', { params: { query }, signal }));
    case 'stock':
    case 'etf': {
      const searchType = kind === 'etf' ? 'ETF' : 'CS';
      return unwrap(api.GET('/api/v1/stock/search/get-stock-list', { params: { query: { ...query, searchType } }, signal }));
    }
  }
}

function popularItems(kind: InstrumentKind, sid: number, signal: AbortSignal): Promise<Item[]> {
  switch (kind) {
    case 'stock':
      return unwrap(api.GET('/api/v1/stock/popular/member/{sid}', { params: { path: { sid } }, signal }));
    case 'etf':
      return unwrap(api.GET('/api/v1/stock/popular/member/{sid}', { params: { path: { sid }, query: { acno: 'ETF' } }, signal }));
    case 'coin':
      return unwrap(api.GET('/api/v1/coin/popular/member/{id}', { params: { path: { id: sid } }, signal }));
    case 'gold':
      return unwrap(api.GET('/api/v1/commodity/popular/member/{id}', { params: { path: { id: sid } }, signal }));
  }
}
