import { two } from '@/shared/format/kst';
import { weekdayOf } from '@/features/learn/home/week';

/** The days of a month in weeks from Monday; null before the first and after the last. */
export function monthGrid(month: string): (string | null)[][] {
  const [year = 0, number = 1] = month.split('-').map(Number);
  const count = new Date(Date.UTC(year, number, 0)).getUTCDate();
  const days = Array.from({ length: count }, (_, index) => `${month}-${two(index + 1)}`);
  const cells = [...Array.from({ length: weekdayOf(`${month}-01`) - 1 }, () => null), ...days];
  return Array.from({ length: Math.ceil(cells.length / 7) }, (_, week) => Array.from({ length: 7 }, (_, day) => cells[week * 7 + day] ?? null));
}

/** The month `count` months later, or earlier where it is negative. */
export function shiftMonth(month: string, count: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  const index = year * 12 + number - 1 + count;
  return `${Math.floor(index / 12)}-${two((index % 12) + 1)}`;
}
