import { CATEGORIES, type Category } from '@/shared/api/assets';
import type { OrderPage } from '@/shared/api/types';
import { fetchHistory, HISTORY_PAGE_SIZE, type HistorySpan, type HistoryType } from '@/features/order/orderApi';

export type HistoryKind = Category | 'all';
export const HISTORY_KINDS: readonly HistoryKind[] = ['all', ...CATEGORIES];

/** A page of orders of one kind or of all, newest first. */
export async function fetchHistoryPage(
  kind: HistoryKind,
  memberSid: number,
  type: HistoryType,
  period: HistorySpan,
  cursor: string | null,
  signal: AbortSignal,
): Promise<OrderPage> {
  if (kind !== 'all') return fetchHistory(kind, memberSid, type, period, cursor, signal);
  return mergePages(await Promise.all(CATEGORIES.map((category) => fetchHistory(category, memberSid, type, period, cursor, signal))));
}

/** Merges one page of each kind. Order numbers are unique across kinds, so one cursor serves all. */
export function mergePages(pages: readonly OrderPage[]): OrderPage {
  const all = pages.flatMap(({ orders }) => orders).sort((a, b) => b.orderSid - a.orderSid);
  const orders = all.slice(0, HISTORY_PAGE_SIZE);
  const hasMore = all.length > orders.length || pages.some(({ nextCursor }) => (nextCursor ?? null) !== null);
  const last = orders.at(-1);
  return { orders, nextCursor: hasMore && last ? String(last.orderSid) : null };
}
