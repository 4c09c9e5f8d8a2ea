import { expect, it } from 'vitest';
import { termOfDay } from './termOfDay';

const TERMS = Array.from({ length: 180 }, (_, index) => `term ${index}`);
const at = (time: string) => new Date(`2026-11-${time}+09:00`);

it('stays the same for a Korean day and changes at midnight in Korea', () => {
  const today = termOfDay(TERMS, at('25T00:00:00'));
  expect(termOfDay(TERMS, at('25T23:59:59'))).toBe(today);
  expect(termOfDay(TERMS, at('26T00:00:00'))).not.toBe(today);
});

it('shows every term once before it repeats', () => {
  const shown = new Set(TERMS.map((_, day) => termOfDay(TERMS, new Date(Date.parse('2026-11-25T12:00:00+09:00') + day * 86_400_000))));
  expect(shown.size).toBe(TERMS.length);
});

it('is null without terms', () => {
  expect(termOfDay([], at('25T00:00:00'))).toBeNull();
});
