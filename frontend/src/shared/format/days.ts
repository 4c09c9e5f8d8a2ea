import { two } from './kst';

/** A day as `YYYY-MM-DD` from an input or the address; null when it is invalid. */
export function dayOf(text: string | null): string | null {
  const day = text?.split('T')[0] ?? '';
  const at = new Date(`${day}T00:00:00Z`);
  return /^\d{4}-\d{2}-\d{2}$/.test(day) && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(day) ? day : null;
}

/** `month` is 1 to 12. */
export function isoDay(year: number, month: number, day: number): string {
  return `${year}-${two(month)}-${two(day)}`;
}

/** `month` is 1 to 12. */
export function daysIn(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}
