import { daysIn, isoDay } from '@/shared/format/days';
import { kstParts } from '@/shared/format/kst';
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

function monthsBefore(year: number, month: number, count: number) {
  const months = year * 12 + (month - 1) - count;
  return { year: Math.floor(months / 12), month: (months % 12) + 1 };
}
