import { infiniteQueryOptions, keepPreviousData, queryOptions, skipToken } from '@tanstack/react-query';
import { moneyQuery } from '@/shared/api/queryClient';
import { queryKeys } from '@/shared/api/queryKeys';
import type { OrderStatus } from '@/shared/api/types';
import { fetchHistoryPage, type HistoryKind } from '@/features/order/history/historyPages';
import {
  fetchOrder,
  fetchPreview,
  fetchTerms,
  type HistoryPeriod,
  type HistoryType,
  type PreviewRequest,
} from './orderApi';

const TERMS_REFRESH_MS = 10_000;
const OPEN_ORDER_REFRESH_MS = 1_000;
const MARKET_PREVIEW_REFRESH_MS = 2_000;
const LIMIT_PREVIEW_REFRESH_MS = 10_000;

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

/** One order with its fills; asked again every second until nothing more can happen to it. */
export function orderQuery(memberSid: number, orderSid: number) {
  return queryOptions({
    queryKey: [...queryKeys.account(memberSid), 'order', orderSid],
    queryFn: ({ signal }) => fetchOrder(orderSid, signal),
    refetchInterval: ({ state }) => (state.data && isFinal(state.data.order.status) ? false : OPEN_ORDER_REFRESH_MS),
    ...moneyQuery,
  });
}

/** The order that is about to be changed, followed for as long as it can be: it may fill while somebody decides. */
export function orderToChangeQuery(memberSid: number, orderSid: number | null) {
  return queryOptions({
    queryKey: [...queryKeys.account(memberSid), 'order-to-change', orderSid],
    queryFn: orderSid === null ? skipToken : ({ signal }) => fetchOrder(orderSid, signal),
    refetchInterval: ({ state }) => (state.data && isFinal(state.data.order.status) ? false : OPEN_ORDER_REFRESH_MS),
    gcTime: 0,
    ...moneyQuery,
  });
}

/**
 * What an order would cost or bring; null asks nothing. A market order is reckoned anew while its price moves, one at a limit
 * because an exchange rate does.
 */
export function previewQuery(request: PreviewRequest | null) {
  return queryOptions({
    queryKey: [...(request ? queryKeys.account(request.memberSid) : queryKeys.accountAll), 'preview', request],
    queryFn: request === null ? skipToken : ({ signal }) => fetchPreview(request, signal),
    refetchInterval: request?.juPrc === null ? MARKET_PREVIEW_REFRESH_MS : LIMIT_PREVIEW_REFRESH_MS,
    retry: false,
    ...moneyQuery,
  });
}

/** The orders of a kind, or of all, and of a period, newest first, twenty at a time. */
export function historyQuery(memberSid: number, kind: HistoryKind, type: HistoryType, period: HistoryPeriod) {
  return infiniteQueryOptions({
    queryKey: [...queryKeys.account(memberSid), 'order-history', kind, type, period],
    queryFn: ({ pageParam, signal }) => fetchHistoryPage(kind, memberSid, type, period, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.nextCursor ?? null,
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
