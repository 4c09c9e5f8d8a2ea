import { kstParts, two } from '@/shared/format/kst';
import type { HistoryPeriod } from '@/features/order/orderApi';

export const PERIODS = ['month', 'quarter', 'all', 'custom'] as const;
export type PeriodName = (typeof PERIODS)[number];

const MONTHS = { month: 1, quarter: 3 } as const;

/** The days of a period that ends today in Korea. In a shorter month the last day counts. */
export function periodUntil(now: Date, name: keyof typeof MONTHS): Required<HistoryPeriod> {
  const { year, month, day } = kstParts(now);
  const start = monthsBefore(year, month, MONTHS[name]);
  return { startDate: isoDay(start.year, start.month, Math.min(day, daysIn(start.year, start.month))), endDate: isoDay(year, month, day) };
}

/** A day as `YYYY-MM-DD` from an input or the address; null when it is invalid. */
export function dayOf(text: string | null): string | null {
  const day = text?.split('T')[0] ?? '';
  const at = new Date(`${day}T00:00:00Z`);
  return /^\d{4}-\d{2}-\d{2}$/.test(day) && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(day) ? day : null;
}

function monthsBefore(year: number, month: number, count: number) {
  const months = year * 12 + (month - 1) - count;
  return { year: Math.floor(months / 12), month: (months % 12) + 1 };
}

function daysIn(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

function isoDay(year: number, month: number, day: number): string {
  return `${year}-${two(month)}-${two(day)}`;
}
