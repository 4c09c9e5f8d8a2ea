import type { MarketType } from '@/shared/api/types';

/** The stock markets of the trend route. */
export type StockMarket = Exclude<MarketType, 'COIN'>;

export const STOCK_MARKETS: readonly StockMarket[] = ['KOSPI', 'KOSDAQ', 'GLOBAL', 'ETF'];
