import { infiniteQueryOptions, keepPreviousData, queryOptions, skipToken } from '@tanstack/react-query';
import { moneyQuery } from '@/shared/api/queryClient';
import { queryKeys } from '@/shared/api/queryKeys';
import type { OrderStatus } from '@/shared/api/types';
import { fetchHistoryPage, type HistoryKind } from '@/features/order/history/historyPages';
import {
  fetchOrder,
  fetchPreview,
  fetchTerms,
  type HistorySpan,
  type HistoryType,
  type PreviewRequest,
} from './orderApi';

const TERMS_REFRESH_MS = 10_000;
const OPEN_ORDER_REFRESH_MS = 1_000;
const MARKET_PREVIEW_REFRESH_MS = 2_000;
const LIMIT_PREVIEW_REFRESH_MS = 10_000;

/** The order terms of an account, at the market or at a limit price. The last reply stays while another price or account loads. */
export function termsQuery(memberSid: number, code: string, acno: string, limitPrice: number | null) {
  return queryOptions({
    queryKey: [...queryKeys.orderTerms(memberSid, code), acno, limitPrice],
    queryFn: ({ signal }) => fetchTerms(memberSid, code, acno, limitPrice, signal),
    placeholderData: keepPreviousData,
    refetchInterval: TERMS_REFRESH_MS,
    ...moneyQuery,
  });
}

/** One order with its fills, refetched every second until it is final. */
export function orderQuery(memberSid: number, orderSid: number) {
  return queryOptions({
    queryKey: [...queryKeys.account(memberSid), 'order', orderSid],
    queryFn: ({ signal }) => fetchOrder(orderSid, signal),
    refetchInterval: ({ state }) => (state.data && isFinal(state.data.order.status) ? false : OPEN_ORDER_REFRESH_MS),
    ...moneyQuery,
  });
}

/** The order being modified, refetched while it is open because it may fill meanwhile. */
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
 * The sums of an order; null disables it. A market order is refetched as its price moves, a limit order because the exchange
 * rate does.
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

/** Orders of one kind or of all, in a period, newest first, twenty per page. */
export function historyQuery(memberSid: number, kind: HistoryKind, type: HistoryType, period: HistorySpan) {
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
