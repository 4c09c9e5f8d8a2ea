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

const DOMESTIC: readonly Venue[] = ['KRX'];
const UNITED_STATES: readonly Venue[] = ['US'];
const COIN: readonly Venue[] = ['COIN'];
const GOLD: readonly Venue[] = ['GOLD'];
const NOWHERE: readonly Venue[] = [];
