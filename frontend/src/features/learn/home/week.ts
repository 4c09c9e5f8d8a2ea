import { kstParts, two } from '@/shared/format/kst';

const DAY_MS = 24 * 3_600_000;

/** A Korean calendar day, `2026-11-25`. */
export function kstDay(at: Date): string {
  const { year, month, day } = kstParts(at);
  return `${year}-${two(month)}-${two(day)}`;
}

/** The seven days of the Korean week of an instant, from Monday. */
export function weekOf(at: Date): string[] {
  const today = Date.parse(`${kstDay(at)}T00:00:00+09:00`);
  return Array.from({ length: 7 }, (_, index) => kstDay(new Date(today + (index - weekdayOf(kstDay(at)) + 1) * DAY_MS)));
}

/** 1 for Monday to 7 for Sunday. */
export function weekdayOf(day: string): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay() || 7;
}

/** The months of days, `2026-11`, without repetition. */
export function monthsOf(days: readonly string[]): string[] {
  return [...new Set(days.map((day) => day.slice(0, 7)))];
}
