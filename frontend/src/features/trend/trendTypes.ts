import type { MarketType } from '@/shared/api/types';

/** The stock markets of the trend route. */
export type StockMarket = Exclude<MarketType, 'COIN'>;

/** The sections of the trend screen. */
export type TrendKind = 'stock' | 'coin' | 'gold' | 'product';

export const STOCK_MARKETS: readonly StockMarket[] = ['KOSPI', 'KOSDAQ', 'GLOBAL', 'ETF'];
export const TREND_KINDS: readonly TrendKind[] = ['stock', 'coin', 'gold', 'product'];
