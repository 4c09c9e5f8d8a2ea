import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '@/shared/api/client';
import { queryKeys } from '@/shared/api/queryKeys';
import type { GoldTrend, MarketTrend, MarketType, ProductTrend } from './trendTypes';

/** The server sums a market up once a minute. */
const REFRESH_MS = 60_000;
const fresh = { staleTime: REFRESH_MS, refetchInterval: REFRESH_MS } as const;

export function marketTrendQuery(type: MarketType) {
  return queryOptions({
    ...fresh,
    queryKey: [...queryKeys.market, 'trend', type],
    queryFn: ({ signal }) => read<MarketTrend>(`/api/v1/market-trend/stocks/${type}`, signal),
  });
}

export function goldTrendQuery() {
  return queryOptions({
    ...fresh,
    queryKey: [...queryKeys.market, 'trend', 'GOLD'],
    queryFn: ({ signal }) => read<GoldTrend>('/api/v1/market-trend/stocks/GOLD', signal),
  });
}

export function productTrendQuery() {
  return queryOptions({
    ...fresh,
    queryKey: [...queryKeys.market, 'trend', 'products'],
    queryFn: ({ signal }) => read<ProductTrend>('/api/v1/market-trend/products', signal),
  });
}

type Read = (path: string, init: { signal: AbortSignal }) => Promise<{ data?: unknown; error?: unknown; response: Response }>;

function read<Reply>(path: string, signal: AbortSignal): Promise<Reply> {
  return unwrap((api.GET as unknown as Read)(path, { signal })) as Promise<Reply>;
}
