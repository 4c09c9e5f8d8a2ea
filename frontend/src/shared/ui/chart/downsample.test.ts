import { describe, expect, it } from 'vitest';
import type { Bar } from './bars';
import { intervalStart } from './intervals';
import { closes, downsampled } from './downsample';

const START = Date.parse('2026-11-24T00:00Z') / 1000;

/** A day that wanders, with one sharp spike up and one down that a sampled line would miss. */
function day(): Bar[] {
  let close = 70_000;
  let seed = 1;
  return Array.from({ length: 1_437 }, (_, index) => {
    seed = (seed * 48_271) % 2_147_483_647;
    close += (seed % 201) - 100;
    const shown = index === 403 ? close + 9_000 : index === 911 ? close - 9_000 : close;
    return { time: START + index * 60, open: shown, high: shown + 50, low: shown - 50, close: shown, volume: 1 };
  });
}

describe('downsampled', () => {
  const bars = day();
  const points = downsampled(bars, 'MINUTE_5');

  it('keeps one point per five minutes, at their positions', () => {
    expect(points).toHaveLength(288);
    expect(points.map(({ time }) => time)).toEqual([...new Set(bars.map(({ time }) => intervalStart(time, 'MINUTE_5')))]);
  });

  it('deviates from a close by no more than the spread of its interval', () => {
    for (const point of points) {
      const members = bars.filter(({ time }) => intervalStart(time, 'MINUTE_5') === point.time).map(({ close }) => close);
      const apart = Math.max(...members) - Math.min(...members);
      expect(members).toContain(point.value);
      for (const close of members) expect(Math.abs(close - point.value)).toBeLessThanOrEqual(apart);
      expect(bars.find(({ time }) => time === point.at)?.close).toBe(point.value);
    }
  });

  it('keeps the spikes and the ends', () => {
    const values = points.map(({ value }) => value);
    expect(Math.max(...values)).toBe(bars[403]?.close);
    expect(Math.min(...values)).toBe(bars[911]?.close);
    expect(points[0]).toMatchObject({ value: bars[0]?.close, at: bars[0]?.time });
    expect(points.at(-1)).toMatchObject({ value: bars.at(-1)?.close, at: bars.at(-1)?.time });
  });

  it('changes nothing where every bar has an interval of its own', () => {
    expect(downsampled(bars.slice(0, 60), 'MINUTE_1')).toEqual(closes(bars.slice(0, 60)));
    expect(downsampled([], 'MINUTE_5')).toEqual([]);
    expect(downsampled(bars.slice(0, 1), 'MINUTE_5')).toHaveLength(1);
  });
});
