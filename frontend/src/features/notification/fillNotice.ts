import type { FillEvent } from '@/shared/realtime/fills';

/** What a toast says about the fills of one order that came close together. */
export interface FillNotice {
  orderSid: number;
  name: string;
  side: 'buy' | 'sell';
  category: string | undefined;
  qty: number;
  amountWon: number;
  remainQty: number;
}

/** The notice of a pushed fill; null when it lacks what a person would want to read. */
export function noticeOf({ fill, order }: FillEvent): FillNotice | null {
  if (!order.isuKorNm || !order.side || fill.fillQty === undefined || fill.amount === undefined) return null;
  return {
    orderSid: fill.orderSid,
    name: order.isuKorNm,
    side: order.side === 'BUY' ? 'buy' : 'sell',
    category: order.orderCategory,
    qty: fill.fillQty,
    amountWon: fill.amount,
    remainQty: order.remainQty ?? 0,
  };
}

/** Fills of the same order add up in the toast that is still shown; another order replaces it. */
export function mergeNotice(shown: FillNotice | null, next: FillNotice): FillNotice {
  if (shown?.orderSid !== next.orderSid) return next;
  return { ...next, qty: roundOff(shown.qty + next.qty), amountWon: shown.amountWon + next.amountWon };
}

function roundOff(quantity: number): number {
  return Math.round(quantity * 1e8) / 1e8;
}
