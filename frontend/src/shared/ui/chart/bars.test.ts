import { describe, expect, it } from 'vitest';
import { axisMark, barsFrom, barTimeText, movingAverage } from './bars';
import { withLive } from './liveBars';

const candle = (date: string, close = 10) => ({ date, open: 9, high: 11, low: 8, close, volume: 5 });

describe('barsFrom', () => {
  it('puts Korean wall time on the axis, on any device', () => {
    const [bar] = barsFrom([candle('2026-11-21T09:03:00+09:00')]);
    expect(new Date((bar?.time ?? 0) * 1000).toISOString()).toBe('2026-11-21T09:03:00.000Z');
    expect(barTimeText(bar?.time ?? 0, false)).toBe('11.21 09:03');
  });

  it('keeps a trading day on its own day', () => {
    const [bar] = barsFrom([candle('2026-11-21')]);
    expect(barTimeText(bar?.time ?? 0, true)).toBe('2026.11.21');
  });

  it('drops what the canvas would reject', () => {
    const bars = barsFrom([candle('2026-11-20'), candle('2026-11-20'), candle('nonsense'), candle('2026-11-19'), candle('2026-11-21')]);
    expect(bars).toHaveLength(2);
  });
});

describe('axisMark', () => {
  it('names the unit that changes, in Korean wall time', () => {
    const [bar] = barsFrom([candle('2026-11-21T00:05:00+09:00')]);
    const marks = (['year', 'month', 'day', 'time'] as const).map((unit) => axisMark(bar?.time ?? 0, unit));
    expect(marks).toEqual(['2026년', '11월', '21일', '00:05']);
  });
});

describe('movingAverage', () => {
  const bars = barsFrom(['2026-11-17', '2026-11-18', '2026-11-19', '2026-11-20'].map((date, index) => candle(date, [10, 20, 30, 70][index])));

  it('averages so many closes up to each bar, from the first complete one on', () => {
    expect(movingAverage(bars, 3).map(({ value }) => value)).toEqual([20, 40]);
    expect(movingAverage(bars, 3)[0]?.time).toBe(bars[2]?.time);
    expect(movingAverage(bars, 5)).toEqual([]);
  });

  it('uses the live bar in place of the last, or after it', () => {
    const last = bars[3] as (typeof bars)[number];
    expect(movingAverage(withLive(bars, { ...last, close: 100 }), 2).at(-1)?.value).toBe(65);
    expect(movingAverage(withLive(bars, { ...last, time: last.time + 60, close: 90 }), 2).at(-1)?.value).toBe(80);
    expect(withLive(bars, { ...last, time: last.time - 60 })).toBe(bars);
  });
});
