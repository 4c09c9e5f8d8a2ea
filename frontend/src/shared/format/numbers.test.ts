import { describe, expect, it } from 'vitest';
import { bigCount, bigWon } from './bigWon';
import { spokenPrice, unsignedMoney } from './change';
import { averagePrice, dollars, money } from './money';
import { quantity, unitless } from './number';
import { changePct, gainPct, pct, shownPct, signedPct, unsignedPct } from './pct';
import { tone } from './tone';
import { parseWon, won } from './won';

const MISSING = [null, undefined, Number.NaN, Infinity, -Infinity];

describe('won', () => {
  it.each([
    [71_300, '71,300원'],
    [0.123456, '0.12346원'],
    [1234.5, '1,234.5원'],
    [-1_000, '-1,000원'],
    [-0, '0원'],
    [-0.000001, '0원'],
    [0, '0원'],
    [9_007_199_254_740_991, '9,007,199,254,740,991원'],
  ])('writes %s as %s', (value, text) => expect(won(value)).toBe(text));

  it.each(MISSING)('writes %s as a dash', (value) => expect(won(value)).toBe('-'));
});

describe('parseWon', () => {
  it.each([
    ['71,300원', 71_300],
    [' 1,234.5 ', 1234.5],
    ['-20', -20],
    ['', null],
    ['1.2.3', null],
    ['1e5', null],
    ['천원', null],
  ])('reads %j as %s', (text, value) => expect(parseWon(text)).toBe(value));
});

describe('unitless and quantity', () => {
  it('group and cut at five and eight decimals', () => {
    expect(unitless(1_234_567.123456)).toBe('1,234,567.12346');
    expect(quantity(0.123456789)).toBe('0.12345679');
    expect(quantity(12)).toBe('12');
    expect(unitless(-0.000001)).toBe('0');
    expect(quantity(null)).toBe('-');
    expect(unitless(undefined)).toBe('-');
  });
});

describe('money', () => {
  it('writes each currency in its own way', () => {
    expect(money(71_300, 'KRW')).toBe('71,300원');
    expect(money(229.87, 'USD')).toBe('$229.87');
    expect(money(2.5, 'USD')).toBe('$2.50');
  });

  it.each([
    [-0.5, '-$0.50'],
    [-0.00001, '$0.00'],
    [1234.5678, '$1,234.5678'],
    [null, '-'],
  ])('writes %s dollars as %s', (value, text) => expect(dollars(value)).toBe(text));
});

describe('bigWon', () => {
  it.each([
    [0, '0원'],
    [9_999, '9,999원'],
    [10_000, '1만원'],
    [12_345_678, '1,234만원'],
    [123_456_789, '1억 2,345만원'],
    [100_000_000, '1억원'],
    [100_000_001, '1억원'],
    [3_120_000_000_000, '3조 1,200억원'],
    [3_000_050_000_000, '3조원'],
    [99_999_999, '9,999만원'],
    [-123_456_789, '-1억 2,345만원'],
    [-9_999.5, '-9,999.5원'],
    [12_345.9, '1만원'],
  ])('writes %s as %s', (value, text) => expect(bigWon(value)).toBe(text));

  it.each(MISSING)('writes %s as a dash', (value) => expect(bigWon(value)).toBe('-'));

  it('leaves the unit word out of counts', () => expect(bigCount(123_456_789)).toBe('1억 2,345만'));
});

describe('pct', () => {
  it.each([
    [1.5, '1.5%', '+1.5%'],
    [-0.32, '-0.32%', '-0.32%'],
    [0, '0%', '0%'],
    [-0, '0%', '0%'],
    [0.004, '0%', '0%'],
    [-0.004, '0%', '0%'],
    [1.005, '1.01%', '+1.01%'],
    [12.3456, '12.35%', '+12.35%'],
    [1234.5, '1,234.5%', '+1,234.5%'],
    [-100, '-100%', '-100%'],
  ])('writes %s as %s and with its sign as %s', (value, plain, signed) => {
    expect(pct(value)).toBe(plain);
    expect(signedPct(value)).toBe(signed);
    expect(unsignedPct(value)).toBe(plain.replace('-', ''));
  });

  it.each(MISSING)('writes %s as a dash', (value) => {
    expect(pct(value)).toBe('-');
    expect(signedPct(value)).toBe('-');
    expect(unsignedPct(value)).toBe('-');
  });
});

describe('changePct', () => {
  it('is the difference over the reference', () => {
    expect(changePct(110, 100)).toBeCloseTo(10);
    expect(changePct(90, 100)).toBeCloseTo(-10);
  });

  it.each([
    [100, 0],
    [100, null],
    [Number.NaN, 100],
  ])('is null for %s over %s', (price, reference) => expect(changePct(price, reference)).toBeNull());
});

describe('a percentage as shown', () => {
  it.each([
    [0.004, 0],
    [-0.004, 0],
    [-0.005, -0.01],
    [0.005, 0.01],
    [12.345, 12.35],
    [-0.32, -0.32],
    [null, null],
    [Number.NaN, null],
  ])('of %s is %s', (value, shown) => expect(shownPct(value)).toBe(shown));

  it('agrees with its text at every border', () => {
    for (let thousandths = -30; thousandths <= 30; thousandths += 1) {
      const value = thousandths / 1_000;
      expect(tone(shownPct(value)) === 'flat').toBe(pct(value) === '0%');
    }
  });
});

describe('a change next to its amount', () => {
  it.each([
    [0.0023, '0.01% 미만'],
    [-0.0023, '0.01% 미만'],
    [0.005, '0.01%'],
    [-12.345, '12.35%'],
    [0, '0%'],
    [null, '-'],
  ])('of %s is written %s', (value, text) => expect(gainPct(value)).toBe(text));

  it('is spoken as it is written', () => {
    expect(spokenPrice(142_352_000, -0.0023, 'KRW', gainPct)).toBe('142,352,000원, 0.01% 미만 하락');
    expect(spokenPrice(142_352_000, 0, 'KRW', gainPct)).toBe('142,352,000원, 보합');
    expect(spokenPrice(142_352_000, null, 'KRW', gainPct)).toBe('142,352,000원, 보합');
  });
});

describe('tone', () => {
  it.each([
    [0.01, 'up'],
    [-0.01, 'down'],
    [0, 'flat'],
    [-0, 'flat'],
    [null, 'flat'],
    [Number.NaN, 'flat'],
  ] as const)('of %s is %s', (value, side) => expect(tone(value)).toBe(side));
});

describe('spoken and signed amounts', () => {
  it('say price, size and direction', () => {
    expect(spokenPrice(71_300, 1.5, 'KRW')).toBe('71,300원, 1.5% 상승');
    expect(spokenPrice(71_300, -0.32, 'KRW')).toBe('71,300원, 0.32% 하락');
    expect(spokenPrice(229.87, 0, 'USD')).toBe('$229.87, 보합');
    expect(spokenPrice(229.87, -0.004, 'USD')).toBe('$229.87, 보합');
    expect(spokenPrice(100, null, 'KRW')).toBe('100원, 보합');
    expect(spokenPrice(null, 1, 'KRW')).toBe('가격 없음');
  });

  it('write the size of a change without its sign', () => {
    expect(unsignedMoney(1_100, 'KRW')).toBe('1,100원');
    expect(unsignedMoney(-500, 'KRW')).toBe('500원');
    expect(unsignedMoney(-0.5, 'USD')).toBe('$0.50');
    expect(unsignedMoney(-0, 'KRW')).toBe('0원');
    expect(unsignedMoney(null, 'KRW')).toBe('-');
  });

  it.each([
    [4_166.5, 'KRW', '4,166.5원'],
    [70_833.33333, 'KRW', '70,833.3원'],
    [142_357_123.4567, 'KRW', '142,357,123원'],
    [999.98765, 'KRW', '999.99원'],
    [1.23456, 'KRW', '1.23원'],
    [0.01234, 'KRW', '0.01234원'],
    [1_234.5678, 'USD', '$1,234.57'],
    [231.0166666, 'USD', '$231.02'],
    [null, 'KRW', '-'],
  ] as const)('an average of %s %s is read as %s', (average, currency, text) => expect(averagePrice(average, currency)).toBe(text));
});
