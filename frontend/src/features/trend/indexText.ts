import type { MarketType } from '@/shared/api/types';
import { isMissing, withoutNegativeZero } from '@/shared/format/number';
import { won } from '@/shared/format/won';

/** The unit of a market's figure: index points, won, or won per gram. */
export type IndexUnit = 'points' | 'won' | 'wonPerGram';

const POINTS = new Intl.NumberFormat('ko-KR', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** Coins and gold are represented by a price, the others by an index. */
export function unitOfMarket(type: MarketType | 'GOLD'): IndexUnit {
  switch (type) {
    case 'COIN':
      return 'won';
    case 'GOLD':
      return 'wonPerGram';
    case 'KOSPI':
    case 'KOSDAQ':
    case 'GLOBAL':
    case 'ETF':
      return 'points';
  }
}

/** A market's figure: `2,612.34` or `150,176,000원`. */
export function indexText(value: number | null | undefined, unit: IndexUnit): string {
  if (isMissing(value)) return '-';
  switch (unit) {
    case 'points':
      return withoutNegativeZero(POINTS.format(value));
    case 'won':
    case 'wonPerGram':
      return won(Math.round(value));
  }
}
