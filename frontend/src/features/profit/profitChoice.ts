import { dayOf, daysIn, isoDay } from '@/shared/format/days';
import { kstParts } from '@/shared/format/kst';
import { seasonOf } from '@/shared/season';
import { PROFIT_GROUPS, PROFIT_PERIODS, PROFIT_TYPES, type ProfitDays, type ProfitFilter, type ProfitGroup, type ProfitPeriod, type ProfitType } from './profitQueries';

/** The filter of the screen, which lives in the address. */
export interface ProfitChoice {
  type: ProfitType;
  groupBy: ProfitGroup;
  period: ProfitPeriod;
  /** The days of a custom period. */
  from: string | null;
  to: string | null;
  /** A past season; null is the present one. */
  season: number | null;
}

/** The filter that an address names; what it does not name is everything, by item. */
export function choiceOf(search: URLSearchParams): ProfitChoice {
  return {
    type: PROFIT_TYPES.find((known) => known === search.get('type')) ?? 'ALL',
    groupBy: PROFIT_GROUPS.find((known) => known === search.get('group')) ?? 'ITEM',
    period: PROFIT_PERIODS.find((known) => known === search.get('period')) ?? 'ALL',
    from: dayOf(search.get('from')),
    to: dayOf(search.get('to')),
    season: seasonOf(search),
  };
}

/** The address of a filter, without what is usual. */
export function searchOf({ type, groupBy, period, from, to, season }: ProfitChoice): URLSearchParams {
  return new URLSearchParams({
    ...(type === 'ALL' ? {} : { type }),
    ...(groupBy === 'ITEM' ? {} : { group: groupBy }),
    ...(period === 'ALL' ? {} : { period }),
    ...(period === 'custom' && from !== null ? { from } : {}),
    ...(period === 'custom' && to !== null ? { to } : {}),
    ...(season === null ? {} : { season: String(season) }),
  });
}

/** The span of a filter; null when it ends before it begins. */
export function spanOf({ period, from, to }: ProfitChoice, now: Date): ProfitFilter['span'] | null {
  if (period !== 'custom') return period;
  const { startDate, endDate } = customDays({ from, to }, now);
  return startDate <= endDate ? { startDate, endDate } : null;
}

/** The chosen days; what is not chosen is this month until today. */
export function customDays({ from, to }: Pick<ProfitChoice, 'from' | 'to'>, now: Date): ProfitDays {
  const { year, month, day } = kstParts(now);
  return { startDate: from ?? isoDay(year, month, 1), endDate: to ?? isoDay(year, month, day) };
}

/** The days of a row of days: one, a month or a year. */
export function daysOfRow(date: string, groupBy: ProfitGroup): ProfitDays {
  const [year = 0, month = 1] = date.split('-').map(Number);
  switch (groupBy) {
    case 'YEAR':
      return { startDate: isoDay(year, 1, 1), endDate: isoDay(year, 12, 31) };
    case 'MONTH':
      return { startDate: isoDay(year, month, 1), endDate: isoDay(year, month, daysIn(year, month)) };
    case 'DAY':
    case 'ITEM':
      return { startDate: date, endDate: date };
  }
}
