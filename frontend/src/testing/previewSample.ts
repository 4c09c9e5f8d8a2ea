import type { OrderPreview } from '@/shared/api/types';

interface PreviewInput {
  side: 'BUY' | 'SELL';
  juPrc: number | null;
  juQty?: number;
  /** Won that a market buy may cost. */
  orderAmount?: number;
}

// A market order for 삼성전자 at 71,300 matches the opposite side and reserves a margin of five percent.
const ASK = 71_400;
const BID = 71_200;
const HOLD_EACH = 74_900;

/** The server's preview of an order in a domestic stock. */
export function previewOf({ side, juPrc, juQty: asked, orderAmount }: PreviewInput): OrderPreview {
  const juQty = asked ?? Math.floor((orderAmount ?? 0) / (ASK * 1.00015));
  const price = juPrc ?? (side === 'BUY' ? ASK : BID);
  const amount = price * juQty;
  const fee = Math.floor(amount * 0.00015);
  if (side === 'SELL') {
    const tax = Math.floor(amount * 0.002);
    return { price, juQty, amount, fee, tax, total: amount - fee - tax };
  }
  const held = (juPrc ?? HOLD_EACH) * juQty;
  const hold = Math.min(held + Math.ceil(held * 0.00015), orderAmount ?? Infinity);
  return { price, juQty, amount, fee, tax: 0, total: amount + fee, hold };
}
