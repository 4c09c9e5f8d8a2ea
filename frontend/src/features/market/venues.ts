import type { Item } from '@/shared/api/types';
import type { Venue } from '@/shared/realtime/connection';

/** The venues of an instrument; none for international commodities, which are only shown. */
export function venuesOf({ marketCode, tradable }: Pick<Item, 'marketCode' | 'tradable'>): readonly Venue[] {
  switch (marketCode) {
    case 'KOSPI':
    case 'KOSDAQ':
    case 'ETF':
      return DOMESTIC;
    case 'stocks':
      return UNITED_STATES;
    case 'COIN':
      return COIN;
    case 'GOLD':
      return tradable ? GOLD : NOWHERE;
  }
}

export const DOMESTIC: readonly Venue[] = ['KRX'];
export const UNITED_STATES: readonly Venue[] = ['US'];
export const SHARES: readonly Venue[] = ['KRX', 'US'];
export const COIN: readonly Venue[] = ['COIN'];
export const GOLD: readonly Venue[] = ['GOLD'];
const NOWHERE: readonly Venue[] = [];
