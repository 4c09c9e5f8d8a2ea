import { expect, it } from 'vitest';
import { groupByDay } from './dayGroups';

it('groups by the Korean day, in the given order', () => {
  const rows = ['2026-11-21T00:10:00+09:00', '2026-11-20T15:00:00Z', '2026-11-20T23:59:59+09:00', 'unknown'];
  expect(groupByDay(rows, (row) => row).map(({ key, year, month, day, rows: of }) => [key, year, month, day, of.length])).toEqual([
    ['20261121', 2026, 11, 21, 2],
    ['20261120', 2026, 11, 20, 1],
    ['', 0, 0, 0, 1],
  ]);
});
