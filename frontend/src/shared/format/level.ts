import { isMissing } from './number';

export type LevelNumber = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;

export interface WealthLevel {
  number: LevelNumber;
  name: string;
  /** The exchange rate of an education point moved into an account. */
  multiplier: number;
  /** Progress within the level, 0 to 100. */
  gaugePercent: number;
  /** Won missing to the next level; null at the highest. */
  toNextWon: number | null;
}

const BANDS: readonly { number: LevelNumber; name: string; multiplier: number; from: number }[] = [
  { number: 1, name: '빈털터리', multiplier: 1.0, from: 0 },
  { number: 2, name: '빈곤층', multiplier: 1.1, from: 10_000_000 },
  { number: 3, name: '빠듯한중산층', multiplier: 1.2, from: 30_000_000 },
  { number: 4, name: '중산층', multiplier: 1.3, from: 70_000_000 },
  { number: 5, name: '상류층', multiplier: 1.4, from: 500_000_000 },
  { number: 6, name: '자산가', multiplier: 1.5, from: 3_000_000_000 },
  { number: 7, name: '1천억재벌', multiplier: 1.6, from: 10_000_000_000 },
  { number: 8, name: '억만장자', multiplier: 1.7, from: 100_000_000_000 },
  { number: 9, name: '슈퍼리치', multiplier: 1.8, from: 1_000_000_000_000 },
];

const LOWEST = BANDS[0] as (typeof BANDS)[number];

/** The wealth level of a total in won. Bands are half open: exactly 10,000,000 is the second level. */
export function level(totalWon: number | null | undefined): WealthLevel {
  const total = isMissing(totalWon) ? 0 : totalWon;
  const { number, name, multiplier, from } = BANDS.findLast((band) => total >= band.from) ?? LOWEST;
  const next = BANDS[number];
  if (!next) return { number, name, multiplier, gaugePercent: 100, toNextWon: null };
  const gaugePercent = Math.min(100, Math.max(0, ((total - from) / (next.from - from)) * 100));
  return { number, name, multiplier, gaugePercent, toNextWon: next.from - total };
}

/** The level name by number; the operator is named separately. */
export const LEVEL_NAMES = BANDS.map(({ name }) => name);
export const OPERATOR_NAME = '운영자';
