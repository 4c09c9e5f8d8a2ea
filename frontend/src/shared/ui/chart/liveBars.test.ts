import { describe, expect, it } from 'vitest';
import type { Tick } from '@/shared/realtime/tick';
import { samsung } from '@/testing/wireSamples';
import { tickFromItem } from '@/shared/realtime/tick';
import { barsFrom } from './bars';
import { applyTick, type LiveBars, mergeLoadedBars, NO_LIVE_BARS, withLive } from './liveBars';

const candle = (time: string, close = 10) => ({ date: `2026-11-21T${time}:00+09:00`, open: 9, high: 11, low: 8, close, volume: 5 });
const tick = (time: string, price: number, volume = 100): Tick => ({ ...tickFromItem(samsung), price, volume, date: '20261121', time });
const loaded = (...candles: ReturnType<typeof candle>[]): LiveBars => mergeLoadedBars(NO_LIVE_BARS, barsFrom(candles));
const after = (liveBars: LiveBars, ticks: Tick[], seconds: number | null = 60): LiveBars => ticks.reduce((grown, one) => applyTick(grown, one, seconds), liveBars);

describe('applyTick', () => {
  const minute = loaded(candle('09:03'));
  const time = minute.bars[0]?.time ?? 0;

  it('updates the newest bar and adds the volume', () => {
    expect(after(minute, [tick('090359', 12)]).live).toMatchObject({ time, open: 9, high: 12, close: 12, volume: 5 });
    expect(after(minute, [tick('090301', 10, 100), tick('090302', 7, 130)]).live).toMatchObject({ low: 7, close: 7, volume: 35 });
  });

  it('starts a bar with each interval, and keeps those it started', () => {
    const grown = after(minute, [tick('090359', 12, 100), tick('090401', 13, 110), tick('090502', 14, 140), tick('090701', 15, 141)]);
    const all = withLive(grown.bars, grown.live);
    expect(all.map((bar) => bar.time - time)).toEqual([0, 60, 120, 240]);
    expect(all.map(({ close }) => close)).toEqual([12, 13, 14, 15]);
    expect(all.map(({ volume }) => volume)).toEqual([5, 10, 30, 1]);
  });

  it('only updates the last day or week', () => {
    const grown = after(loaded(candle('00:00')), [tick('090400', 12)], null);
    expect(withLive(grown.bars, grown.live)).toHaveLength(1);
    expect(grown.live).toMatchObject({ close: 12, high: 12 });
  });

  it('returns the same object when nothing changes', () => {
    const seen = after(minute, [tick('090300', 10)]);
    expect(applyTick(seen, tick('090300', 10), 60)).toBe(seen);
    expect(applyTick(minute, tick('090259', 12), 60)).toBe(minute);
    expect(applyTick(NO_LIVE_BARS, tick('090300', 12), 60)).toBe(NO_LIVE_BARS);
  });

  it('detects another day', () => {
    const seen = after(minute, [tick('090300', 10, 100)]);
    expect(seen.isDayOver).toBe(false);
    expect(applyTick(seen, tick('090301', 10, 3), 60).isDayOver).toBe(true);
  });

  it('draws no start of a day, and detects the day at its first trade', () => {
    const seen = after(minute, [tick('090300', 10, 100)]);
    const begun = { ...tick('090300', 2, 0), previousClose: 2, open: 2, high: 2, low: 2 };
    expect(applyTick(seen, begun, 60)).toBe(seen);
    expect(after(seen, [begun, tick('090500', 3, 4)])).toMatchObject({ live: { open: 3, low: 3, close: 3 }, isDayOver: true });
    // A page that was opened before the first trade counts its volume.
    expect(after(minute, [begun, tick('090500', 3, 4)]).live).toMatchObject({ close: 3, volume: 4 });
  });
});

describe('mergeLoadedBars', () => {
  it('keeps live bars after the newest loaded one, also when older bars are loaded', () => {
    const grown = after(loaded(candle('09:03')), [tick('090401', 13), tick('090501', 14)]);
    const older = mergeLoadedBars(grown, barsFrom([candle('09:01'), candle('09:02'), candle('09:03')]));
    expect(withLive(older.bars, older.live).map(({ close }) => close)).toEqual([10, 10, 10, 13, 14]);
  });

  it('prefers loaded figures, and the newer price of the current bar', () => {
    const grown = after(loaded(candle('09:03')), [tick('090401', 13), tick('090501', 14)]);
    const again = mergeLoadedBars(grown, barsFrom([candle('09:03'), candle('09:04', 12), { ...candle('09:05', 11), high: 20, volume: 7 }]));
    expect(withLive(again.bars, again.live).map(({ close }) => close)).toEqual([10, 12, 14]);
    expect(again.live).toMatchObject({ high: 20, low: 8, volume: 7 });
  });
});
