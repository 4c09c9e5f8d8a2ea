import { type AssetRoute, ASSETS, categoryOf } from '@/shared/api/assets';
import type { Item } from '@/shared/api/types';
import type { Currency } from '@/shared/format/money';

/** The channels of live prices; dollar stocks have their own. */
export type Destination = `/${AssetRoute | 'globalStock'}/realData`;

/** The latest price of an instrument, in its quote currency. */
export interface Tick {
  code: string;
  /** Increases with every trade of the instrument, across restarts. */
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
  /** Won per dollar; set for dollar prices. */
  fxRate: number | null;
  /** The best bid and ask; null where unknown. */
  bid: number | null;
  ask: number | null;
  session: Session;
  /** The volatility interruption in effect; null without one. */
  interruption: Interruption | null;
}

/** The trading state of an instrument; in `AUCTION` orders are collected for a single price. */
export type Session = 'OPEN' | 'AUCTION' | 'CLOSED' | 'HALTED';
type Interruption = 'STATIC' | 'DYNAMIC';

/** The channel of a market. */
export function destinationOf(marketCode: string): Destination {
  return `/${marketCode === 'stocks' ? 'globalStock' : ASSETS[categoryOf(marketCode)].route}/realData`;
}

/** A tick from a REST reply. */
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
