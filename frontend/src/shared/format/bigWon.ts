import { isMissing } from './number';
import { won } from './won';

const UNITS = [
  { size: 1_000_000_000_000, name: '조' },
  { size: 100_000_000, name: '억' },
  { size: 10_000, name: '만' },
] as const;

/** Large won in its two largest units, floored: `1억 2,345만원`. Under 1만 the exact won. The sign is written once. */
export function bigWon(value: number | null | undefined): string {
  if (isMissing(value)) return '-';
  const magnitude = Math.abs(value);
  if (magnitude < 10_000) return won(value);
  const sign = value < 0 ? '-' : '';
  const largest = UNITS.findIndex(({ size }) => magnitude >= size);
  const parts: string[] = [];
  let rest = Math.floor(magnitude);
  for (const { size, name } of UNITS.slice(largest, largest + 2)) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) parts.push(`${count.toLocaleString('ko-KR')}${name}`);
  }
  return `${sign}${parts.join(' ')}원`;
}

/** A large count without a unit word, for volumes: `1억 2,345만`. */
export function bigCount(value: number | null | undefined): string {
  return bigWon(value).replace(/원$/, '');
}
