import { expect, it } from 'vitest';
import { flagOf } from './flag';

it.each([
  ['KOSPI', '🇰🇷'],
  ['KOSDAQ', '🇰🇷'],
  ['ETF', '🇰🇷'],
  ['stocks', '🇺🇸'],
  ['COIN', null],
  ['GOLD', null],
])('%s trades under %s', (market, flag) => expect(flagOf(market)).toBe(flag));
