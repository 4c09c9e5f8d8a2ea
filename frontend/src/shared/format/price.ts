import { type Currency, dollars, money } from './money';
import { isMissing, toHundredths } from './number';

const MAX_DECIMALS = 5;

/**
 * What one of something costs. Prices of one size have as many decimals as their steps at the exchange, so that they end alike
 * wherever they stand: `71,300원`, `12.0원`, `0.520원`. A step is a whole won from 100 won on, and ten times smaller with each
 * digit less.
 */
export function price(value: number | null | undefined, currency: Currency): string {
  const text = money(value, currency);
  if (currency === 'USD' || isMissing(value) || value <= 0) return text;
  const decimals = Math.min(MAX_DECIMALS, 2 - Math.floor(Math.log10(value)));
  if (decimals <= 0) return text;
  const [whole = '', part = ''] = text.slice(0, -1).split('.');
  return `${whole}.${part.padEnd(decimals, '0')}원`;
}

/** The same in a row, where dollars have cents whatever the steps of a commodity are. */
export function listPrice(value: number, currency: Currency): string {
  return currency === 'USD' ? dollars(toHundredths(value)) : price(value, currency);
}
