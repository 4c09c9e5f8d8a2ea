import { expect, it } from 'vitest';
import { monthGrid, shiftMonth } from './monthGrid';

it('lays a month out in weeks from Monday', () => {
  const weeks = monthGrid('2026-11');
  expect(weeks).toHaveLength(6);
  expect(weeks[0]).toEqual([null, null, null, null, null, null, '2026-11-01']);
  expect(weeks[5]?.[0]).toBe('2026-11-30');
  expect(weeks.flat().filter(Boolean)).toHaveLength(30);
});

it('knows the length of February', () => {
  expect(monthGrid('2028-02').flat().filter(Boolean)).toHaveLength(29);
  expect(monthGrid('2026-02').flat().filter(Boolean)).toHaveLength(28);
});

it('crosses the year', () => {
  expect(shiftMonth('2026-12', 1)).toBe('2027-01');
  expect(shiftMonth('2026-01', -1)).toBe('2025-12');
});
