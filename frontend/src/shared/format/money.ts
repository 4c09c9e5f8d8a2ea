import { isMissing, toHundredths, withoutNegativeZero } from './number';
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

/** An average price with the decimals that matter at its size: `4,166.5원`, `$231.02`. */
export function averagePrice(value: number | null | undefined, currency: Currency): string {
  return money(isMissing(value) ? null : readable(value, currency), currency);
}

function readable(average: number, currency: Currency): number {
  if (average < 1) return average;
  if (currency === 'USD' || average < 1_000) return toHundredths(average);
  // A tenth of a won matters for the average of two prices of a share, and not for prices in the millions.
  return average < 1_000_000 ? Math.round(average * 10) / 10 : Math.round(average);
}
