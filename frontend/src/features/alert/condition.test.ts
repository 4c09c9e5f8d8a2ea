import { describe, expect, it } from 'vitest';
import { conditionText, entryRules, signedValue } from './condition';

describe('the condition of an alert', () => {
  it('is told in a few words', () => {
    expect(conditionText({ kind: 'ABOVE', value: 80_000, currency: 'KRW' })).toBe('80,000원 이상');
    expect(conditionText({ kind: 'BELOW', value: 199.5, currency: 'USD' })).toBe('$199.50 이하');
    expect(conditionText({ kind: 'BELOW', value: 0.52, currency: 'KRW' })).toBe('0.520원 이하');
    expect(conditionText({ kind: 'PERCENT', value: 5, currency: 'KRW' })).toBe('5% 이상 오르면');
    expect(conditionText({ kind: 'PERCENT', value: -3.5, currency: 'KRW' })).toBe('3.5% 이상 내리면');
  });

  it('is typed as finely as the exchange quotes', () => {
    const rules = (currency: 'KRW' | 'USD', marketCode: 'KOSPI' | 'COIN' | 'stocks', trdPrc: number) =>
      entryRules('ABOVE', 'up', { currency, marketCode, trdPrc }).decimals;
    expect(rules('KRW', 'KOSPI', 71_300)).toBe(0);
    expect(rules('USD', 'stocks', 201.5)).toBe(2);
    expect(rules('KRW', 'COIN', 99_000_000)).toBe(0);
    expect(rules('KRW', 'COIN', 520)).toBe(1);
    expect(rules('KRW', 'COIN', 0.0005)).toBe(7);
    expect(rules('KRW', 'COIN', 0.000_000_05)).toBe(8);
    expect(entryRules('PERCENT', 'down', { currency: 'KRW', marketCode: 'KOSPI', trdPrc: 1 })).toEqual({ decimals: 2, maxWholeDigits: 2 });
  });

  it('has a sign only as a fall in percent', () => {
    expect(signedValue('PERCENT', 'down', 3.5)).toBe(-3.5);
    expect(signedValue('PERCENT', 'up', 3.5)).toBe(3.5);
    expect(signedValue('BELOW', 'down', 70_000)).toBe(70_000);
  });
});
