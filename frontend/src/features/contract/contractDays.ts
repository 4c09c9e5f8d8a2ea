import { parseServerTime } from '@/shared/format/kst';

const DAY_MS = 24 * 60 * 60_000;
const KST_MS = 9 * 60 * 60_000;

/**
 * Korean calendar days from now to a day (`2027-11-25`), 0 today; null once it is over, as every day is where the market
 * replays recorded years.
 */
export function daysUntil(day: string, now: Date): number | null {
  const at = parseServerTime(day);
  const days = at === null ? -1 : dayNumber(at) - dayNumber(now);
  return days < 0 ? null : days;
}

/** `2027-11-25` → `2027.11.25` */
export function dottedDay(day: string): string {
  return day.slice(0, 10).replaceAll('-', '.');
}

function dayNumber(at: Date): number {
  return Math.floor((at.getTime() + KST_MS) / DAY_MS);
}
