import { describe, expect, it } from 'vitest';
import type { Bar } from './bars';
import { aggregate, aggregateLive, candleInterval, intervalStart, lineInterval, periodWith, sourceOf } from './intervals';

const at = (text: string): number => Date.parse(`${text}Z`) / 1000;
const text = (time: number): string => new Date(time * 1000).toISOString().slice(0, 16);
const bar = (time: string, close: number, volume = 1): Bar => ({ time: at(time), open: close - 1, high: close + 2, low: close - 3, close, volume });

describe('aggregate', () => {
  it('joins minutes by the clock: first open, highest, lowest, last close, total volume', () => {
    const minutes = ['09:03', '09:04', '09:05', '09:06', '09:10'].map((time, index) => bar(`2026-11-24T${time}`, [50, 70, 40, 60, 65][index] ?? 0, index + 1));
    const five = aggregate(minutes, 'MINUTE_5', false);
    expect(five.map(({ time }) => text(time))).toEqual(['2026-11-24T09:00', '2026-11-24T09:05', '2026-11-24T09:10']);
    expect(five[0]).toMatchObject({ open: 49, high: 72, low: 47, close: 70, volume: 3 });
    expect(five[1]).toMatchObject({ open: 39, high: 62, low: 37, close: 60, volume: 7 });
  });

  it('keeps the extremes and the total volume, whatever the interval', () => {
    const minutes = Array.from({ length: 1_437 }, (_, index) => bar(text(at('2026-11-24T00:00') + index * 60), 1_000 + ((index * 7_919) % 613)));
    for (const interval of ['MINUTE_5', 'MINUTE_30'] as const) {
      const merged = aggregate(minutes, interval, false);
      expect(Math.max(...merged.map(({ high }) => high))).toBe(Math.max(...minutes.map(({ high }) => high)));
      expect(Math.min(...merged.map(({ low }) => low))).toBe(Math.min(...minutes.map(({ low }) => low)));
      expect(merged.reduce((sum, { volume }) => sum + volume, 0)).toBe(1_437);
    }
    expect(aggregate(minutes, 'MINUTE_5', false)).toHaveLength(288);
    expect(aggregate(minutes, 'MINUTE_30', false)).toHaveLength(48);
  });

  it('starts weeks on Mondays and months on the first, and names them by their first trading day', () => {
    const days = ['2026-10-29', '2026-10-30', '2026-11-02', '2026-11-06', '2026-11-10'].map((day) => bar(`${day}T00:00`, 10));
    expect(aggregate(days, 'WEEK', false).map(({ time }) => text(time).slice(0, 10))).toEqual(['2026-10-29', '2026-11-02', '2026-11-10']);
    expect(aggregate(days, 'MONTH', false).map(({ time }) => text(time).slice(0, 10))).toEqual(['2026-10-29', '2026-11-02']);
    expect(text(intervalStart(at('2026-11-22T10:00'), 'WEEK'))).toBe('2026-11-16T00:00');
    expect(text(intervalStart(at('2026-11-23T00:00'), 'WEEK'))).toBe('2026-11-23T00:00');
  });

  it('drops an interval whose start is not loaded', () => {
    const days = ['2026-10-29', '2026-11-02', '2026-11-06'].map((day) => bar(`${day}T00:00`, 10));
    expect(aggregate(days, 'MONTH', true).map(({ time }) => text(time).slice(0, 10))).toEqual(['2026-11-02']);
    expect(aggregate(days.slice(1), 'WEEK', true)).toHaveLength(1);
  });

  it('updates the current interval with the live bar', () => {
    const minutes = [bar('2026-11-24T09:05', 10, 5), bar('2026-11-24T09:06', 11, 6)];
    const live = { ...bar('2026-11-24T09:06', 30, 9), open: 10 };
    expect(aggregateLive(minutes, live, 'MINUTE_5')).toMatchObject({ time: at('2026-11-24T09:05'), open: 9, high: 32, close: 30, volume: 14 });
    expect(aggregateLive(minutes, bar('2026-11-24T09:10', 12), 'MINUTE_5')).toMatchObject({ time: at('2026-11-24T09:10'), close: 12, volume: 1 });
    expect(aggregateLive(minutes, null, 'MINUTE_5')).toBeNull();
  });
});

describe('the interval of a period', () => {
  it('is five minutes for a day of more than 400, and one for a short one', () => {
    expect(candleInterval('DAY', null, 401)).toBe('MINUTE_5');
    expect(candleInterval('DAY', null, 400)).toBe('MINUTE_1');
    expect(lineInterval('DAY', 1_437)).toBe('MINUTE_5');
    expect(lineInterval('DAY', 390)).toBe('MINUTE_1');
    expect(lineInterval('WEEKLY', 1_008)).toBe('MINUTE_30');
    expect(lineInterval('WEEKLY', 195)).toBe('MINUTE_10');
    expect(lineInterval('FIVE_YEAR', 260)).toBe('WEEK');
  });

  it('is the chosen one where the period has it, and choosing one switches to a period that has it', () => {
    expect(candleInterval('YEAR', 'WEEK', 250)).toBe('WEEK');
    expect(candleInterval('DAY', 'WEEK', 250)).toBe('MINUTE_1');
    expect(periodWith('WEEK', 'FIVE_YEAR')).toBe('FIVE_YEAR');
    expect(periodWith('DAY', 'DAY')).toBe('THREE_MONTH');
    expect(periodWith('MINUTE_30', 'DAY')).toBe('DAY');
    expect(periodWith('MINUTE_1', 'YEAR')).toBe('DAY');
    expect(sourceOf('FIVE_YEAR', 'MONTH')).toEqual({ type: 'YEAR', pages: 5 });
    expect(sourceOf('FIVE_YEAR', 'WEEK')).toEqual({ type: 'FIVE_YEAR', pages: 1 });
  });
});
