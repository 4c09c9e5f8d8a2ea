import { given } from '@/shared/copy/copy.given';

export type OrderSide = 'buy' | 'sell';
export type PriceKind = 'market' | 'limit';

export function isOrderSide(text: string | null): text is OrderSide {
  return text === 'buy' || text === 'sell';
}

/** `구매` or `판매`. */
export function sideName(side: OrderSide): '구매' | '판매' {
  return given.sides[side];
}

/** The side as the server's rows spell it. */
export function sideOfRow(side: 'BUY' | 'SELL'): OrderSide {
  return side === 'BUY' ? 'buy' : 'sell';
}
