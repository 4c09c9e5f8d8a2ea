import type { Item } from '@/shared/api/types';
import type { Currency } from '@/shared/format/money';

/** The channels of live prices. */
export type Destination = '/stock/realData' | '/coin/realData' | '/globalStock/realData' | '/commodity/realData';

/** One instrument's newest price, in the currency it is quoted in. */
export interface Tick {
  code: string;
  /** Rises with every trade of this instrument, across restarts of the market. */
  seq: number;
  price: number;
  previousClose: number;
  open: number;
  high: number;
  low: number;
  changePercent: number;
  volume: number;
  /** Korean date and time of the trade: `yyyymmdd`, `HHmmss`. */
  date: string;
  time: string;
  currency: Currency;
  /** Won for one dollar, on dollar prices. */
  fxRate: number | null;
  /** The best price somebody buys at and the best somebody sells at; null where nobody is known to. */
  bid: number | null;
  ask: number | null;
  session: Session;
  /** Which volatility interruption holds the instrument in a call auction; null without one. */
  interruption: Interruption | null;
}

/** How an instrument trades at the moment; `AUCTION` gathers orders until one price serves them all. */
export type Session = 'OPEN' | 'AUCTION' | 'CLOSED' | 'HALTED';
export type Interruption = 'STATIC' | 'DYNAMIC';

/** The channel that carries an instrument of this market. */
export function destinationOf(marketCode: string): Destination {
  switch (marketCode) {
    case 'COIN':
      return '/coin/realData';
    case 'stocks':
      return '/globalStock/realData';
    case 'GOLD':
      return '/commodity/realData';
    default:
      return '/stock/realData';
  }
}

/** The same facts as a tick, from a REST reply. */
export function tickFromItem(item: Item): Tick {
  return {
    code: item.isuSrtCd,
    seq: item.tickSeq,
    price: item.trdPrc,
    previousClose: item.prevDdPrc,
    open: item.opnPrc,
    high: item.hgPrc,
    low: item.lwPrc,
    changePercent: item.flucRt,
    volume: item.accVol,
    date: item.trdDd,
    time: item.trdTm,
    currency: item.currency,
    fxRate: item.fxRt ?? null,
    bid: item.bidPrc ?? null,
    ask: item.askPrc ?? null,
    session: item.halted ? 'HALTED' : item.session,
    interruption: item.vi ?? null,
  };
}
