import { kstDate, parseServerTime } from '@/shared/format/kst';
import { competitionCopy as copy } from './copy';
import type { Competition } from './types';

const NINE_HOURS_MS = 9 * 3_600_000;
const DAY_MS = 24 * 3_600_000;
const CALM_DAYS = 5;

type Times = Pick<Competition, 'startsAt' | 'endsAt'>;

/** `D-12` while it runs, the days before it starts, and nothing once it has ended. */
export function countdown({ status, ...times }: Times & Pick<Competition, 'status'>, now: Date): string | null {
  const starts = parseServerTime(times.startsAt);
  const last = lastMoment(times);
  if (status === 'ENDED' || starts === null || last === null) return null;
  const today = dayNumber(now);
  if (status === 'SCHEDULED') {
    const days = dayNumber(starts) - today;
    return days > 0 ? copy.startsIn(days) : copy.startsToday;
  }
  const days = dayNumber(last) - today;
  return days > 0 ? copy.dDay(days) : copy.endsToday;
}

export function periodText(times: Times): string {
  const starts = parseServerTime(times.startsAt);
  const last = lastMoment(times);
  return starts && last ? copy.period(kstDate(starts), kstDate(last)) : '';
}

/** Short events have no ranking by calm. */
export function hasCalm(times: Times): boolean {
  const starts = parseServerTime(times.startsAt);
  const last = lastMoment(times);
  return starts !== null && last !== null && dayNumber(last) - dayNumber(starts) + 1 >= CALM_DAYS;
}

/** An event that ends at midnight ends on the day before. */
function lastMoment({ endsAt }: Times): Date | null {
  const ends = parseServerTime(endsAt);
  return ends && new Date(ends.getTime() - 1);
}

/** Korean calendar days since the epoch. */
function dayNumber(at: Date): number {
  return Math.floor((at.getTime() + NINE_HOURS_MS) / DAY_MS);
}
