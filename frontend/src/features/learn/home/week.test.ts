import { expect, it } from 'vitest';
import { kstDay, monthsOf, weekdayOf, weekOf } from './week';

it('begins the week on Monday and crosses months', () => {
  const week = weekOf(new Date('2026-12-02T10:00:00+09:00'));
  expect(week).toEqual(['2026-11-30', '2026-12-01', '2026-12-02', '2026-12-03', '2026-12-04', '2026-12-05', '2026-12-06']);
  expect(monthsOf(week)).toEqual(['2026-11', '2026-12']);
});

it('keeps a Sunday in the week that began on Monday, until midnight in Korea', () => {
  expect(weekOf(new Date('2026-11-29T23:59:59+09:00'))[0]).toBe('2026-11-23');
  expect(weekOf(new Date('2026-11-30T00:00:00+09:00'))[0]).toBe('2026-11-30');
});

it('names Korean days and weekdays', () => {
  expect(kstDay(new Date('2026-11-24T15:00:00Z'))).toBe('2026-11-25');
  expect(weekdayOf('2026-11-30')).toBe(1);
  expect(weekdayOf('2026-11-29')).toBe(7);
});
