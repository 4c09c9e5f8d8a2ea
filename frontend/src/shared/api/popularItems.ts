import { queryOptions } from '@tanstack/react-query';
import { categoryOfKind, type InstrumentKind, routeOf } from './assets';
import { api, unwrap } from './client';
import { queryKeys } from './queryKeys';
import type { Item } from './types';

const STALE_TIME_MS = 60_000;
const ANONYMOUS = 0;

/** The most viewed and traded instruments of a kind, with the member's own hearts. */
export function popularItemsQuery(kind: InstrumentKind, memberSid: number | null) {
  return queryOptions({
    queryKey: [...queryKeys.popular, 'of-kind', kind, memberSid],
    staleTime: STALE_TIME_MS,
    queryFn: ({ signal }): Promise<Item[]> => {
      const params = { path: { sid: memberSid ?? ANONYMOUS }, ...(kind === 'etf' && { query: { acno: 'ETF' as const } }) };
      return unwrap(api.GET(routeOf(categoryOfKind(kind), '/api/v1/stock/popular/member/{sid}'), { params, signal }));
    },
  });
}
