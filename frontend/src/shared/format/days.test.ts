import { expect, test } from 'vitest';
import { dayOf, daysIn, isoDay } from './days';

test.each([
  ['2026-11-26', '2026-11-26'],
  ['2024-02-29', '2024-02-29'],
  ['2026-11-26T09:30:00+09:00', '2026-11-26'],
  ['2026-02-30', null],
  ['2026-13-01', null],
  ['2026-1-1', null],
  ['yesterday', null],
  ['', null],
  [null, null],
])('%s is the day %s', (text, day) => {
  expect(dayOf(text)).toBe(day);
});

test('a day is written with two digits, and February has its leap day', () => {
  expect(isoDay(2026, 3, 5)).toBe('2026-03-05');
  expect([daysIn(2024, 2), daysIn(2026, 2), daysIn(2100, 2), daysIn(2026, 12)]).toEqual([29, 28, 28, 31]);
});
