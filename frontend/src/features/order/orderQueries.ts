import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { moneyQuery } from '@/shared/api/queryClient';
import { type Category, queryKeys } from '@/shared/api/queryKeys';
import type { OrderStatus } from '@/shared/api/types';
import { fetchOrder, fetchTerms, fetchWaiting, fetchWaitingFor } from './orderApi';

const TERMS_REFRESH_MS = 10_000;
const WAITING_REFRESH_MS = 5_000;
const OPEN_ORDER_REFRESH_MS = 1_000;

/** What may be ordered, at the market or at a limit price. The last answer stays while a new price is asked about. */
export function termsQuery(memberSid: number, code: string, limitPrice: number | null) {
  return queryOptions({
    queryKey: [...queryKeys.orderTerms(memberSid, code), limitPrice],
    queryFn: ({ signal }) => fetchTerms(memberSid, code, limitPrice, signal),
    placeholderData: keepPreviousData,
    refetchInterval: TERMS_REFRESH_MS,
    ...moneyQuery,
  });
}

/** The waiting orders of one kind, asked for every five seconds while somebody looks at them. */
export function waitingQuery(memberSid: number, category: Category) {
  return queryOptions({
    queryKey: queryKeys.waiting(memberSid, category),
    queryFn: ({ signal }) => fetchWaiting(category, memberSid, signal),
    refetchInterval: WAITING_REFRESH_MS,
    ...moneyQuery,
  });
}

export function waitingForQuery(memberSid: number, category: Category, code: string) {
  return queryOptions({
    queryKey: queryKeys.waitingFor(memberSid, category, code),
    queryFn: () => fetchWaitingFor(category, memberSid, code),
    ...moneyQuery,
  });
}

/** One order with its fills; asked again every second until nothing more can happen to it. */
export function orderQuery(memberSid: number, orderSid: number) {
  return queryOptions({
    queryKey: [...queryKeys.account(memberSid), 'order', orderSid],
    queryFn: ({ signal }) => fetchOrder(orderSid, signal),
    refetchInterval: ({ state }) => (state.data && isFinal(state.data.order.status) ? false : OPEN_ORDER_REFRESH_MS),
    ...moneyQuery,
  });
}

export function isFinal(status: OrderStatus): boolean {
  switch (status) {
    case 'QUEUED':
    case 'ACCEPTED':
    case 'PARTIAL':
      return false;
    case 'FILLED':
    case 'CANCELED':
    case 'EXPIRED':
    case 'REPLACED':
    case 'REJECTED':
      return true;
  }
}
