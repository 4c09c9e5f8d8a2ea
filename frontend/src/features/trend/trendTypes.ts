import type { Item } from '@/shared/api/types';

/** The markets a trend is told of, as the route spells them. */
export type StockMarket = 'KOSPI' | 'KOSDAQ' | 'GLOBAL' | 'ETF';
export type MarketType = StockMarket | 'COIN';

/** What the trend screen is divided into. */
export type TrendKind = 'stock' | 'coin' | 'gold' | 'product';

export const STOCK_MARKETS: readonly StockMarket[] = ['KOSPI', 'KOSDAQ', 'GLOBAL', 'ETF'];
export const TREND_KINDS: readonly TrendKind[] = ['stock', 'coin', 'gold', 'product'];

/** The figure a market is summed up in. */
export interface MarketIndex {
  name: string;
  value: number;
  diff: number;
  rate: number;
  asOf: string;
  delayed: boolean;
}

export interface Sector {
  code: string;
  name: string;
  rate: number;
}

export interface MarketTrend {
  type: MarketType;
  index: MarketIndex;
  breadth: { up: number; flat: number; down: number };
  gainers: Item[];
  losers: Item[];
  volume: Item[];
  value: Item[];
  /** The best first. */
  sectors: Sector[];
  asOf: string;
}

export interface GoldTrend {
  type: 'GOLD';
  index: MarketIndex;
  gold: { wonPerG: number; usdPerOz: number | null; fxRate: number | null; premiumRate: number | null };
  items: Item[];
  asOf: string;
}

/** A savings product as far as a trend tells of it. */
export interface MovedProduct {
  sid: number;
  prdtNm: string;
  bankNm: string;
}

export interface RateAverage {
  prdtTcd: '03' | '04';
  saveTrm: number;
  average: number;
  best: number;
  count: number;
}

export interface ProductTrend {
  averages: RateAverage[];
  /** Products whose best rate changed this week. */
  movers: { product: MovedProduct; before: number; after: number }[];
  asOf: string;
}
