import type { MarketType } from '@/shared/api/types';
import { paths } from '@/shared/paths';
import { INVEST_TABS, type InvestTab } from '@/shared/platform/lastInvestPath';
import { STOCK_MARKETS, type StockMarket } from './trendTypes';

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
export function trendFrom(search: URLSearchParams): { kind: InvestTab; market: StockMarket } {
  return {
    kind: INVEST_TABS.find((kind) => kind === search.get('tab')) ?? 'stock',
    market: STOCK_MARKETS.find((market) => market === search.get('market')) ?? 'KOSPI',
  };
}
