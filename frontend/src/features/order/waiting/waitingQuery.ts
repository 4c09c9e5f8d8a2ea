import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '@/shared/api/client';
import { moneyQuery } from '@/shared/api/queryClient';
import { type Category, queryKeys } from '@/shared/api/queryKeys';
import type { Order } from '@/shared/api/types';
import { BASIC_ACCOUNT } from '@/features/order/basicAccount';

const WAITING_REFRESH_MS = 5_000;

/** The waiting orders of one category, refetched every five seconds while shown. */
export function waitingQuery(memberSid: number, category: Category) {
  return queryOptions({
    queryKey: queryKeys.waiting(memberSid, category),
    queryFn: ({ signal }) => fetchWaiting(category, memberSid, signal),
    refetchInterval: WAITING_REFRESH_MS,
    ...moneyQuery,
  });
}

export function fetchWaiting(category: Category, memberSid: number, signal?: AbortSignal): Promise<Order[]> {
  const query = { acno: BASIC_ACCOUNT };
  const abort = signal ? { signal } : {};
  switch (category) {
    case 'stock':
      return unwrap(api.GET('/api/v1/stock/wait/member/{sid}', { params: { path: { sid: memberSid }, query }, ...abort }));
    case 'coin':
      return unwrap(api.GET('/api/v1/coin/wait/member/{id}', { params: { path: { id: memberSid }, query }, ...abort }));
    case 'gold':
      return unwrap(api.GET('/api/v1/commodity/wait/member/{sid}', { params: { path: { sid: memberSid }, query }, ...abort }));
  }
}
