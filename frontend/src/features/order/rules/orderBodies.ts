import { given } from '@/shared/copy/copy.given';
import type { Category } from '@/shared/api/queryKeys';
import type { Item, Order, OrderBody } from '@/shared/api/types';
import { BASIC_ACCOUNT } from '@/features/order/basicAccount';
import type { PreviewRequest } from '@/features/order/orderApi';
import type { OrderEntry } from './orderCheck';
import { type OrderSide, sideOfRow } from './orderSides';

/** A confirmed order, before it has an account and a request id. */
export interface OrderDraft {
  item: Pick<Item, 'isuSrtCd' | 'isuKorNm'>;
  entry: OrderEntry;
  /** The price the member saw when confirming. */
  seenPrice: number | null;
  isRiskAccepted: boolean;
}

/** A buy or a sale as the wire wants it. */
export function placeBody(memberSid: number, category: Category, draft: OrderDraft): OrderBody {
  const { item, entry, seenPrice, isRiskAccepted } = draft;
  return {
    acno: BASIC_ACCOUNT,
    isuSrtCd: item.isuSrtCd,
    isuKorNm: item.isuKorNm,
    juPrc: entry.kind === 'limit' ? entry.limitPrice : null,
    juQty: entry.qty ?? 0,
    memberSid,
    orderGb: orderKindOf(entry.side, false),
    orderCategory: CATEGORY_ON_WIRE[category],
    ...(seenPrice === null ? {} : { bookPrc: seenPrice }),
    ...(isRiskAccepted ? { riskAck: true } : {}),
  };
}

/** What the server is asked about an order before it is made. */
export function previewRequest(memberSid: number, { isuSrtCd }: Pick<Item, 'isuSrtCd'>, entry: OrderEntry): PreviewRequest {
  return {
    memberSid,
    isuSrtCd,
    side: entry.side === 'buy' ? 'BUY' : 'SELL',
    juPrc: entry.kind === 'limit' ? entry.limitPrice : null,
    juQty: entry.qty ?? 0,
  };
}

/** What a new order, or the change of a waiting one, is called on the wire. */
export function orderKindOf(side: OrderSide, isChange: boolean): OrderBody['orderGb'] {
  const { buy, sell, modifyBuy, modifySell } = given.orderKinds;
  if (side === 'buy') return isChange ? modifyBuy : buy;
  return isChange ? modifySell : sell;
}

/** What a change would leave of a waiting order; null when that is the order as it stands. */
export function modificationType(order: Order, entry: OrderEntry): 'PRICE' | 'QTY' | 'BOTH' | null {
  const isPriceNew = entry.kind === 'limit' && entry.limitPrice !== order.juPrc;
  const isQtyNew = entry.qty !== order.remainQty;
  if (isPriceNew && isQtyNew) return 'BOTH';
  if (isPriceNew) return 'PRICE';
  return isQtyNew ? 'QTY' : null;
}

/**
 * The change of a waiting order: its quantity is what is to remain of it. With it goes what was left when the member decided, so
 * that nothing is ordered a second time that has filled by then.
 */
export function modifyBody(memberSid: number, order: Order, draft: OrderDraft): OrderBody {
  const { entry, seenPrice, isRiskAccepted } = draft;
  return {
    acno: order.acno,
    isuSrtCd: order.isuSrtCd,
    isuKorNm: order.isuKorNm,
    juPrc: entry.kind === 'limit' ? entry.limitPrice : null,
    juQty: entry.qty ?? 0,
    memberSid,
    orderGb: orderKindOf(sideOfRow(order.side), true),
    orderSid: order.orderSid,
    orderCategory: order.orderCategory,
    orderMoficationType: modificationType(order, entry),
    remainQty: order.remainQty,
    ...(seenPrice === null ? {} : { bookPrc: seenPrice }),
    ...(isRiskAccepted ? { riskAck: true } : {}),
  };
}

/** The cancellation of a waiting order, of whatever is left of it by then: the same body however often it is sent. */
export function cancelBody(memberSid: number, order: Order): OrderBody {
  return {
    acno: order.acno,
    isuSrtCd: order.isuSrtCd,
    isuKorNm: order.isuKorNm,
    memberSid,
    orderGb: order.side === 'BUY' ? given.orderKinds.cancelBuy : given.orderKinds.cancelSell,
    orderSid: order.orderSid,
    orderCategory: order.orderCategory,
  };
}

/** True when two bodies ask for the same thing, whatever the price seen beside them. */
export function isSameRequest(a: OrderBody, b: OrderBody): boolean {
  const isSameTarget = a.isuSrtCd === b.isuSrtCd && a.orderGb === b.orderGb && a.orderSid === b.orderSid;
  return isSameTarget && a.juPrc === b.juPrc && a.juQty === b.juQty;
}

const CATEGORY_ON_WIRE = { stock: 'STOCK', coin: 'COIN', gold: 'GOLD' } as const satisfies Record<Category, OrderBody['orderCategory']>;
