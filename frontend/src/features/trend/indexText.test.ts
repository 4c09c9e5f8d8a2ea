import { describe, expect, it } from 'vitest';
import { indexDiffText, indexText } from './indexText';

describe('the figure of a market', () => {
  it('is points with two decimals, or whole won', () => {
    expect(indexText(5_774.4, 'points')).toBe('5,774.40');
    expect(indexText(150_176_000.4, 'won')).toBe('150,176,000원');
    expect(indexText(null, 'points')).toBe('-');
  });

  it.each([
    [12.3, 'points', '+12.30'],
    [0.05, 'points', '+0.05'],
    [0.004, 'points', '0.00'],
    [-0.004, 'points', '0.00'],
    [-6.8, 'points', '-6.80'],
    [1_575_000, 'won', '+1,575,000원'],
    [-3_210, 'wonPerGram', '-3,210원'],
    [0, 'won', '0원'],
    [1_000.5, 'points', '+1,000.50'],
  ] as const)('changes by %s %s: %s', (diff, unit, text) => expect(indexDiffText(diff, unit)).toBe(text));
});
