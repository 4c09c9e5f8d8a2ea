import type { Item, PriceAlert } from '@/shared/api/types';
import { dollars } from '@/shared/format/money';
import { unsignedPct } from '@/shared/format/pct';
import { price } from '@/shared/format/price';
import type { KeypadRules } from '@/shared/ui/amountEntry';
import { type AlertKind, alertCopy, type Direction } from './copy';

const MAX_DECIMALS = 8;
const CENTS = 2;

/** `80,000원 이상`, `3.5% 이상 내리면`. */
export function conditionText({ kind, value, currency }: Pick<PriceAlert, 'kind' | 'value' | 'currency'>): string {
  switch (kind) {
    case 'ABOVE':
      return alertCopy.above(priceText(value, currency));
    case 'BELOW':
      return alertCopy.below(priceText(value, currency));
    case 'PERCENT':
      return value < 0 ? alertCopy.fall(unsignedPct(value)) : alertCopy.rise(unsignedPct(value));
  }
}

export function priceText(value: number, currency: PriceAlert['currency']): string {
  return currency === 'USD' ? dollars(value) : price(value, currency);
}

/** What may be typed: prices as fine as those of the exchange, percentages with two decimals. */
export function entryRules(kind: AlertKind, direction: Direction, item: Pick<Item, 'currency' | 'marketCode' | 'trdPrc'>): KeypadRules {
  if (kind === 'PERCENT') return { decimals: CENTS, maxWholeDigits: direction === 'up' ? 4 : 2 };
  return { decimals: priceDecimals(item), maxWholeDigits: 10 };
}

/** The signed value of what was typed. */
export function signedValue(kind: AlertKind, direction: Direction, typed: number): number {
  return kind === 'PERCENT' && direction === 'down' ? -typed : typed;
}

// A coin's price may fall into a band with one more decimal.
function priceDecimals({ currency, marketCode, trdPrc }: Pick<Item, 'currency' | 'marketCode' | 'trdPrc'>): number {
  if (currency === 'USD') return CENTS;
  if (marketCode !== 'COIN' || trdPrc <= 0) return 0;
  return Math.max(0, Math.min(MAX_DECIMALS, 3 - Math.floor(Math.log10(trdPrc))));
}
