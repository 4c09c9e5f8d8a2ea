import { describe, expect, it } from 'vitest';
import { indexText } from './indexText';

describe('the figure of a market', () => {
  it('is points with two decimals, or whole won', () => {
    expect(indexText(5_774.4, 'points')).toBe('5,774.40');
    expect(indexText(150_176_000.4, 'won')).toBe('150,176,000원');
    expect(indexText(null, 'points')).toBe('-');
  });
});
