import { describe, expect, it } from 'vitest';
import { dayOf } from '@/shared/format/days';
import { periodUntil } from './historyPeriod';

describe('the period of a history', () => {
  it.each([
    ['2026-11-21T05:00:00Z', 'month', '2026-10-21', '2026-11-21'],
    ['2026-11-21T16:00:00Z', 'month', '2026-10-22', '2026-11-22'],
    ['2026-03-31T03:00:00Z', 'month', '2026-02-28', '2026-03-31'],
    ['2026-02-10T03:00:00Z', 'quarter', '2025-11-10', '2026-02-10'],
  ] as const)('at %s, %s, begins %s', (now, name, startDate, endDate) => {
    expect(periodUntil(new Date(now), name)).toEqual({ startDate, endDate });
  });

  it.each([
    ['2026-11-21', '2026-11-21'],
    ['2026-11-21T09:00:00+09:00', '2026-11-21'],
    ['2026-02-30', null],
    ['', null],
    [null, null],
  ])('is %j for %j', (text, day) => expect(dayOf(text)).toBe(day));
});
