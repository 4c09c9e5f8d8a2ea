import type { Order } from '@/shared/api/types';
import { isMissing } from '@/shared/format/number';

/** Whether the amount of the order no longer bought the rest of it. */
export function endedByAmount({ endReason }: Pick<Order, 'endReason'>): boolean {
  return endReason === 'AMOUNT_REACHED';
}

/** Whether an order bought something before its amount was reached: to the member it is filled. */
export function hasReachedAmount(order: Pick<Order, 'endReason' | 'filledQty'>): boolean {
  return endedByAmount(order) && order.filledQty > 0;
}

/** The server modifies no order by amount. */
export function isModifiable({ orderAmount }: Pick<Order, 'orderAmount'>): boolean {
  return isMissing(orderAmount);
}
