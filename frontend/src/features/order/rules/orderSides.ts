import { given } from '@/shared/copy/copy.given';

export type OrderSide = 'buy' | 'sell';
export type PriceKind = 'market' | 'limit';

export function isOrderSide(text: string | null): text is OrderSide {
  return text === 'buy' || text === 'sell';
}

/** The side in the member's words. */
export function sideName(side: OrderSide): (typeof given.sides)[OrderSide] {
  return given.sides[side];
}

/** The side as the server's rows spell it. */
export function sideOfRow(side: 'BUY' | 'SELL'): OrderSide {
  return side === 'BUY' ? 'buy' : 'sell';
}
