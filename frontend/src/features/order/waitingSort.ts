import type { Order } from '@/shared/api/types';

/** How waiting orders are ordered; the server gives the newest first. */
export const WAITING_SORTS = ['newest', 'oldest', 'name'] as const;
export type WaitingSort = (typeof WAITING_SORTS)[number];

export function sortWaiting(orders: readonly Order[], sort: WaitingSort): Order[] {
  switch (sort) {
    case 'newest':
      return [...orders].sort((a, b) => b.orderSid - a.orderSid);
    case 'oldest':
      return [...orders].sort((a, b) => a.orderSid - b.orderSid);
    case 'name':
      return [...orders].sort((a, b) => a.isuKorNm.localeCompare(b.isuKorNm, 'ko'));
  }
}
