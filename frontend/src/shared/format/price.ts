import { type Currency, dollars, money } from './money';
import { isMissing, toHundredths } from './number';

const MAX_DECIMALS = 5;

/**
 * A unit price. Prices of one size have as many decimals as their tick at the exchange, so that they align: `71,300원`, `12.0원`,
 * `0.520원`. From 100 won on a tick is a whole won; each digit less divides it by ten.
 */
export function price(value: number | null | undefined, currency: Currency): string {
  const text = money(value, currency);
  if (currency === 'USD' || isMissing(value) || value <= 0) return text;
  const decimals = Math.min(MAX_DECIMALS, 2 - Math.floor(Math.log10(value)));
  if (decimals <= 0) return text;
  const [whole = '', part = ''] = text.slice(0, -1).split('.');
  return `${whole}.${part.padEnd(decimals, '0')}원`;
}

/** The same in a row, where dollars always have cents. */
export function listPrice(value: number, currency: Currency): string {
  return currency === 'USD' ? dollars(toHundredths(value)) : price(value, currency);
}
