import type { MarketType } from '@/shared/api/types';

/** The stock markets a trend is told of, as the route spells them. */
export type StockMarket = Exclude<MarketType, 'COIN'>;

/** What the trend screen is divided into. */
export type TrendKind = 'stock' | 'coin' | 'gold' | 'product';

export const STOCK_MARKETS: readonly StockMarket[] = ['KOSPI', 'KOSDAQ', 'GLOBAL', 'ETF'];
export const TREND_KINDS: readonly TrendKind[] = ['stock', 'coin', 'gold', 'product'];
