import type { FillEvent } from '@/shared/realtime/fills';

/** The content of a toast: the filled and the remaining quantity of an order. */
export interface FillNotice {
  orderSid: number;
  name: string;
  side: 'buy' | 'sell';
  category: string | undefined;
  qty: number;
  amountWon: number;
  remainQty: number;
}

/** The notice of a pushed fill; null when it lacks a field worth showing. */
export function noticeOf({ fill, order }: FillEvent): FillNotice | null {
  if (!order.isuKorNm || !order.side || fill.fillQty === undefined || fill.amount === undefined) return null;
  return {
    orderSid: fill.orderSid,
    name: order.isuKorNm,
    side: order.side === 'BUY' ? 'buy' : 'sell',
    category: order.orderCategory,
    qty: order.filledQty ?? fill.fillQty,
    amountWon: order.filledAmount ?? fill.amount,
    remainQty: order.remainQty ?? 0,
  };
}

interface ShownNotice extends FillNotice {
  sinceMs: number;
}

/** The shown notice, and the orders whose first fill has been announced. */
interface NoticeState {
  shown: ShownNotice | null;
  filling: readonly number[];
}

export const NO_NOTICE: NoticeState = { shown: null, filling: [] };

/**
 * An order is announced at its first fill and at its last, however many fills it takes; the ones between only update a notice
 * that is still shown.
 */
export function reduceNotice({ shown, filling }: NoticeState, next: FillNotice, nowMs: number): NoticeState {
  const isDone = next.remainQty === 0;
  const others = filling.filter((orderSid) => orderSid !== next.orderSid);
  const nowFilling = isDone ? others : [...others, next.orderSid];
  if (shown?.orderSid === next.orderSid) return { shown: { ...next, sinceMs: shown.sinceMs }, filling: nowFilling };
  if (!isDone && filling.includes(next.orderSid)) return { shown, filling };
  return { shown: { ...next, sinceMs: nowMs }, filling: nowFilling };
}
