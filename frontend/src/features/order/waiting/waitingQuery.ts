import { queryOptions } from '@tanstack/react-query';
import { type Category, routeOf } from '@/shared/api/assets';
import { api, unwrap } from '@/shared/api/client';
import { moneyQuery } from '@/shared/api/queryClient';
import { queryKeys } from '@/shared/api/queryKeys';
import type { Order } from '@/shared/api/types';

const WAITING_REFRESH_MS = 5_000;

/** The waiting orders of one category in all accounts of the member, refetched every five seconds while shown. */
export function waitingQuery(memberSid: number, category: Category) {
  return queryOptions({
    queryKey: queryKeys.waiting(memberSid, category),
    queryFn: ({ signal }) => fetchWaiting(category, memberSid, signal),
    refetchInterval: WAITING_REFRESH_MS,
    ...moneyQuery,
  });
}

export function fetchWaiting(category: Category, memberSid: number, signal: AbortSignal): Promise<Order[]> {
  return unwrap(api.GET(routeOf(category, '/api/v1/stock/wait/member/{sid}'), { params: { path: { sid: memberSid } }, signal }));
}
