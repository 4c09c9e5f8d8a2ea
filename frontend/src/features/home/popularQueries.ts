import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '@/shared/api/client';
import { queryKeys } from '@/shared/api/queryKeys';
import type { Item } from '@/shared/api/types';

export type PopularKind = 'stock' | 'etf' | 'coin' | 'gold';
export const POPULAR_KINDS: readonly PopularKind[] = ['stock', 'etf', 'coin', 'gold'];

const STALE_TIME_MS = 60_000;
const ANONYMOUS = 0;

/** The popular instruments of a kind, with the member's own hearts. */
export function popularOfQuery(kind: PopularKind, memberSid: number | null) {
  return queryOptions({
    queryKey: [...queryKeys.market, 'popular', 'of-kind', kind, memberSid],
    staleTime: STALE_TIME_MS,
    queryFn: ({ signal }) => fetchPopular(kind, memberSid ?? ANONYMOUS, signal),
  });
}

function fetchPopular(kind: PopularKind, sid: number, signal: AbortSignal): Promise<Item[]> {
  switch (kind) {
    case 'stock':
      return unwrap(api.GET('/api/v1/stock/popular/member/{sid}', { params: { path: { sid } }, signal }));
    case 'etf':
      return unwrap(
        api.GET('/api/v1/stock/popular/member/{sid}', { params: { path: { sid }, query: { acno: 'ETF' } }, signal }),
      );
    case 'coin':
      return unwrap(api.GET('/api/v1/coin/popular/member/{id}', { params: { path: { id: sid } }, signal }));
    case 'gold':
      return unwrap(api.GET('/api/v1/commodity/popular/member/{id}', { params: { path: { id: sid } }, signal }));
  }
}
