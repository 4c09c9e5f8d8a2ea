import { describe, expect, it } from 'vitest';
import { listPrice, price } from './price';

describe('a price', () => {
  it.each([
    [148_601_000, '148,601,000원'],
    [1_470.5, '1,470.5원'],
    [100, '100원'],
    [99.9, '99.9원'],
    [12, '12.0원'],
    [9.5, '9.50원'],
    [0.52, '0.520원'],
    [0.1, '0.100원'],
    [0.0123, '0.0123원'],
    [0.00412, '0.00412원'],
    [0.000123456, '0.00012원'],
    [0, '0원'],
  ])('of %s won has the decimals of its size, in a row and elsewhere', (value, text) => {
    expect(listPrice(value, 'KRW')).toBe(text);
    expect(price(value, 'KRW')).toBe(text);
  });

  it.each([
    [5.2135, '$5.21'],
    [3.4, '$3.40'],
    [3_970, '$3,970.00'],
  ])('of %s dollars has cents in a row', (value, text) => expect(listPrice(value, 'USD')).toBe(text));

  it('of dollars has all its decimals elsewhere', () => expect(price(5.2135, 'USD')).toBe('$5.2135'));

  it('that is missing is a dash', () => expect(price(null, 'KRW')).toBe('-'));
});
