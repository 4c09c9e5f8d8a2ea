import type { Notification } from '@/features/notification/notificationTypes';
import { kstDayKey, kstParts, parseServerTime } from '@/shared/format/kst';

export const GROUPS = ['today', 'week', 'earlier'] as const;
export type Group = (typeof GROUPS)[number];

const DAY_MS = 24 * 3_600_000;

/** Notifications by when they came: today, since Monday, and earlier, by the Korean calendar. Empty groups are left out. */
export function groupsOf(notifications: readonly Notification[], now: Date): { group: Group; rows: Notification[] }[] {
  const groups = GROUPS.map((group) => ({ group, rows: notifications.filter(({ createdAt }) => groupOf(createdAt, now) === group) }));
  return groups.filter(({ rows }) => rows.length > 0);
}

function groupOf(createdAt: string, now: Date): Group {
  const at = parseServerTime(createdAt);
  if (at === null) return 'earlier';
  const day = kstDayKey(at);
  // Ahead of this device's clock is today as well.
  if (day >= kstDayKey(now)) return 'today';
  return day >= kstDayKey(mondayOf(now)) ? 'week' : 'earlier';
}

/** An instant of the Monday of a Korean week. */
function mondayOf(now: Date): Date {
  const { year, month, day } = kstParts(now);
  const weekday = new Date(Date.UTC(year, month - 1, day)).getUTCDay();
  return new Date(now.getTime() - ((weekday + 6) % 7) * DAY_MS);
}
