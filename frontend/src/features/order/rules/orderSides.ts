import { given } from '@/shared/copy/copy.given';

export type OrderSide = 'buy' | 'sell';
export type PriceKind = 'market' | 'limit';

/** The side as shown to the member. */
export function sideName(side: OrderSide): (typeof given.sides)[OrderSide] {
  return given.sides[side];
}

/** The side of a server row. */
export function sideOfRow(side: 'BUY' | 'SELL'): OrderSide {
  return side === 'BUY' ? 'buy' : 'sell';
}
