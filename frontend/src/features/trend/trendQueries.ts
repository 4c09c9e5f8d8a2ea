import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '@/shared/api/client';
import { queryKeys } from '@/shared/api/queryKeys';
import type { MarketType } from '@/shared/api/types';

/** The server updates trends once a minute. */
const REFRESH_MS = 60_000;
const fresh = { staleTime: REFRESH_MS, refetchInterval: REFRESH_MS } as const;

export function marketTrendQuery(type: MarketType) {
  return queryOptions({
    ...fresh,
    queryKey: [...queryKeys.market, 'trend', type],
    queryFn: ({ signal }) => unwrap(api.GET('/api/v1/market-trend/stocks/{type}', { params: { path: { type } }, signal })),
  });
}

export function goldTrendQuery() {
  return queryOptions({
    ...fresh,
    queryKey: [...queryKeys.market, 'trend', 'GOLD'],
    queryFn: ({ signal }) => unwrap(api.GET('/api/v1/market-trend/stocks/GOLD', { signal })),
  });
}

export function productTrendQuery() {
  return queryOptions({
    ...fresh,
    queryKey: [...queryKeys.market, 'trend', 'products'],
    queryFn: ({ signal }) => unwrap(api.GET('/api/v1/market-trend/products', { signal })),
  });
}
