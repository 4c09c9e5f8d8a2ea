import { type Currency, dollars, money } from './money';
import { toHundredths } from './number';

const MOST_DECIMALS = 5;

/**
 * A price in a row. Prices of one size have as many decimals as their steps at the exchange, so that neighbours end alike:
 * `71,300원`, `12.0원`, `0.520원`. A step is a whole won from 100 won on, and ten times smaller with each digit less.
 */
export function listPrice(value: number, currency: Currency): string {
  if (currency === 'USD') return listDollars(value);
  const text = money(value, currency);
  const decimals = value > 0 ? Math.min(MOST_DECIMALS, 2 - Math.floor(Math.log10(value))) : 0;
  if (decimals <= 0) return text;
  const [whole = '', part = ''] = text.slice(0, -1).split('.');
  return `${whole}.${part.padEnd(decimals, '0')}원`;
}

/** Dollars in a row: always cents, whatever the steps of a commodity are. */
export function listDollars(value: number): string {
  return dollars(toHundredths(value));
}
