import { expect, it } from 'vitest';
import { daysUntil, dottedDay } from './contractDays';

it.each([
  ['2026-11-25', '2026-11-25T23:59:00+09:00', 0],
  ['2026-11-26', '2026-11-25T23:59:00+09:00', 1],
  ['2026-11-26', '2026-11-25T00:00:00+09:00', 1],
  // The day has begun in Korea, not yet in UTC.
  ['2026-11-26', '2026-11-25T15:00:00Z', 0],
  ['2027-11-25', '2026-11-25T09:00:00+09:00', 365],
  ['2026-11-24', '2026-11-25T00:00:00+09:00', null],
])('until %s from %s are %s days', (day, now, days) => expect(daysUntil(day, new Date(now))).toBe(days));

it('writes a day with dots', () => expect(dottedDay('2027-11-25')).toBe('2027.11.25'));
