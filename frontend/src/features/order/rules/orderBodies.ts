import { given } from '@/shared/copy/copy.given';
import { ASSETS, type Category } from '@/shared/api/assets';
import type { Item, Order, OrderBody } from '@/shared/api/types';
import type { PreviewRequest } from '@/features/order/orderApi';
import type { OrderEntry } from './orderCheck';
import { type OrderSide, sideOfRow } from './orderSides';

export interface OrderDraft {
  /** Ignored by a modification, which stays in the account of its order. */
  acno: string;
  item: Pick<Item, 'isuSrtCd' | 'isuKorNm'>;
  entry: OrderEntry;
  /** The price shown at confirmation. */
  seenPrice: number | null;
  isRiskAccepted: boolean;
}

/** The body of a new buy or sell order. */
export function placeBody(memberSid: number, category: Category, draft: OrderDraft): OrderBody {
  const { acno, item, entry, seenPrice, isRiskAccepted } = draft;
  return {
    acno,
    isuSrtCd: item.isuSrtCd,
    isuKorNm: item.isuKorNm,
    juPrc: entry.kind === 'limit' ? entry.limitPrice : null,
    ...sizeOf(entry),
    memberSid,
    orderGb: orderKindOf(entry.side, false),
    orderCategory: ASSETS[category].type,
    ...(seenPrice === null ? {} : { bookPrc: seenPrice }),
    ...(isRiskAccepted ? { riskAck: true } : {}),
  };
}

/** The body of a preview. */
export function previewRequest(memberSid: number, acno: string, { isuSrtCd }: Pick<Item, 'isuSrtCd'>, entry: OrderEntry): PreviewRequest {
  return {
    memberSid,
    acno,
    isuSrtCd,
    side: entry.side === 'buy' ? 'BUY' : 'SELL',
    juPrc: entry.kind === 'limit' ? entry.limitPrice : null,
    ...sizeOf(entry),
  };
}

// The server computes the quantity of an amount, at the price of its acceptance.
function sizeOf({ qty, amount }: OrderEntry): { juQty: number } | { orderAmount: number } {
  return amount === undefined ? { juQty: qty ?? 0 } : { orderAmount: amount };
}

/** The order kind of a new order or of a modification. */
export function orderKindOf(side: OrderSide, isChange: boolean): OrderBody['orderGb'] {
  const { buy, sell, modifyBuy, modifySell } = given.orderKinds;
  if (side === 'buy') return isChange ? modifyBuy : buy;
  return isChange ? modifySell : sell;
}

/** What a modification changes; null when it changes nothing. */
export function modificationType(order: Order, entry: OrderEntry): 'PRICE' | 'QTY' | 'BOTH' | null {
  const isPriceNew = entry.kind === 'limit' && entry.limitPrice !== order.juPrc;
  const isQtyNew = entry.qty !== order.remainQty;
  if (isPriceNew && isQtyNew) return 'BOTH';
  if (isPriceNew) return 'PRICE';
  return isQtyNew ? 'QTY' : null;
}

/**
 * The body of a modification. `juQty` is the quantity to remain. `remainQty` is the remainder the member saw, so that a fill in
 * between is not ordered again.
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

/** The body of a cancellation of the whole remainder, the same however often it is sent. */
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

/** Whether two bodies request the same order, ignoring the price seen. */
export function isSameRequest(a: OrderBody, b: OrderBody): boolean {
  const isSameTarget = a.acno === b.acno && a.isuSrtCd === b.isuSrtCd && a.orderGb === b.orderGb && a.orderSid === b.orderSid;
  return isSameTarget && a.juPrc === b.juPrc && a.juQty === b.juQty && a.orderAmount === b.orderAmount;
}
