import type { MarketType } from '@/shared/api/types';
import { paths } from '@/shared/paths';
import { STOCK_MARKETS, type StockMarket, TREND_KINDS, type TrendKind } from './trendTypes';

/** The trend screen of a market. */
export function trendHref(type: MarketType | 'GOLD'): string {
  switch (type) {
    case 'COIN':
      return `${paths.marketTrend}?tab=coin`;
    case 'GOLD':
      return `${paths.marketTrend}?tab=gold`;
    case 'KOSPI':
    case 'KOSDAQ':
    case 'GLOBAL':
    case 'ETF':
      return `${paths.marketTrend}?market=${type}`;
  }
}

/** The selection in the address; unknown values fall back to the first choice. */
export function trendFrom(search: URLSearchParams): { kind: TrendKind; market: StockMarket } {
  return {
    kind: TREND_KINDS.find((kind) => kind === search.get('tab')) ?? 'stock',
    market: STOCK_MARKETS.find((market) => market === search.get('market')) ?? 'KOSPI',
  };
}
