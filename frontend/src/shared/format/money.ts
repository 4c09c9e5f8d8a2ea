import { isMissing, withoutNegativeZero } from './number';
import { won } from './won';

export type Currency = 'KRW' | 'USD';

const DOLLARS = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 4 });

/** A price in the currency it is quoted in: `71,300원`, `$229.87`. */
export function money(value: number | null | undefined, currency: Currency): string {
  switch (currency) {
    case 'KRW':
      return won(value);
    case 'USD':
      return dollars(value);
  }
}

/** Dollars with at least two decimals, the sign before the symbol: `-$0.50`. */
export function dollars(value: number | null | undefined): string {
  if (isMissing(value)) return '-';
  const text = withoutNegativeZero(DOLLARS.format(value));
  return text.startsWith('-') ? `-$${text.slice(1)}` : `$${text}`;
}
