import { type Category, routeOf } from '@/shared/api/assets';
import { api, unwrap } from '@/shared/api/client';
import type { Fill, Order, OrderBody, OrderPage, OrderPreview, OrderReply, OrderTerms } from '@/shared/api/types';

/** Sends an order or a cancellation. Repeating a `reqSid` with the same body returns the first reply. */
export function postOrder(category: Category, body: OrderBody): Promise<OrderReply> {
  return unwrap(api.POST(routeOf(category, '/api/v1/stock/order'), { body }));
}

/**
 * The outcome of an order whose reply was lost, with its current state. A request that has not arrived is rejected from now on,
 * so it can no longer take effect.
 */
export function closeRequest(memberSid: number, reqSid: string): Promise<OrderReply> {
  return unwrap(api.POST('/api/v1/invest/close-request', { body: { memberSid, reqSid } }));
}

/** The order terms of an instrument in an account; with a price, `maxBuyQty` is computed at it instead of at the market. */
export function fetchTerms(memberSid: number, code: string, acno: string, limitPrice: number | null, signal: AbortSignal): Promise<OrderTerms> {
  const query = { acno, ...(limitPrice === null ? {} : { juPrc: limitPrice }) };
  return unwrap(api.GET('/api/v1/invest/member/{id}/code/{code}', { params: { path: { id: memberSid, code }, query }, signal }));
}

export function fetchOrder(orderSid: number, signal: AbortSignal): Promise<{ order: Order; fills: Fill[] }> {
  return unwrap(api.GET('/api/v1/invest/order/{orderSid}', { params: { path: { orderSid } }, signal }));
}

export interface PreviewRequest {
  memberSid: number;
  acno: string;
  isuSrtCd: string;
  side: 'BUY' | 'SELL';
  /** Null previews a market order. */
  juPrc: number | null;
  juQty?: number;
  /** Instead of a quantity: won that a market buy may cost. */
  orderAmount?: number;
}

/** The sums of an order, computed by the server exactly as it would settle. */
export function fetchPreview(request: PreviewRequest, signal: AbortSignal): Promise<OrderPreview> {
  return unwrap(api.POST('/api/v1/invest/preview', { body: request, signal }));
}

export const HISTORY_TYPES = ['ALL', 'FILLED', 'WAIT', 'CANCELED'] as const;
export type HistoryType = (typeof HISTORY_TYPES)[number];

/** Days as `2026-11-21`, both inclusive; a missing day is unbounded. */
export interface HistoryPeriod {
  startDate?: string;
  endDate?: string;
}

export interface HistorySpan extends HistoryPeriod {
  /** A past season; without it the present one. */
  season?: number;
}

export function fetchHistory(
  category: Category,
  memberSid: number,
  type: HistoryType,
  period: HistorySpan,
  cursor: string | null,
  signal: AbortSignal,
): Promise<OrderPage> {
  const query = { ...period, size: HISTORY_PAGE_SIZE, ...(cursor === null ? {} : { cursor }) };
  return unwrap(api.GET(routeOf(category, '/api/v1/orderHistory/stock/member/{sid}/{type}'), { params: { path: { sid: memberSid, type }, query }, signal }));
}

export const HISTORY_PAGE_SIZE = 20;
