import type { Tick } from '@/shared/realtime/tick';
import { type Bar, tickAxisTime } from './bars';

/** The server's bars, continued by live ticks. */
export interface LiveBars {
  /** The loaded bars this is based on; others start over. */
  server: readonly Bar[];
  /** Completed bars. The newest of them may be the one updated in `live`. */
  bars: readonly Bar[];
  /** The newest bar, updated by ticks; null before the first update. */
  live: Bar | null;
  /** The day's volume at the last tick; null before one. */
  traded: number | null;
  /** Whether the day's volume has restarted since the bars were loaded, so that another day has begun. */
  isDayOver: boolean;
}

export const NO_LIVE_BARS: LiveBars = { server: [], bars: [], live: null, traded: null, isDayOver: false };

/** Adopts loaded bars and keeps the newer ones made by ticks. */
export function mergeLoadedBars({ bars, live, traded }: LiveBars, server: readonly Bar[]): LiveBars {
  const newest = server.at(-1);
  if (!newest) return { server, bars: server, live: null, traded, isDayOver: false };
  const later = bars.filter(({ time }) => time > newest.time);
  const keptLive = live && live.time >= newest.time ? live : null;
  const merged =
    keptLive && keptLive.time === newest.time
      ? {
          ...newest,
          close: keptLive.close,
          high: Math.max(newest.high, keptLive.high),
          low: Math.min(newest.low, keptLive.low),
          volume: Math.max(newest.volume, keptLive.volume),
        }
      : keptLive;
  return { server, bars: later.length > 0 ? [...server, ...later] : server, live: merged, traded, isDayOver: false };
}

/**
 * Applies a tick; the same object when it changes nothing. A bar lasts `seconds`; null means a calendar interval, in which a
 * tick only updates the newest bar.
 */
export function applyTick(liveBars: LiveBars, tick: Tick, seconds: number | null): LiveBars {
  const { bars, live, traded } = liveBars;
  const isDayOver = liveBars.isDayOver || (traded !== null && tick.volume < traded);
  const newest = live ?? bars.at(-1);
  if (!newest) return liveBars;
  if (isBeforeFirstTrade(tick)) return traded === null ? { ...liveBars, traded: 0 } : liveBars;
  // A new day counts from zero.
  const volume = traded === null ? 0 : Math.max(0, tick.volume - traded);
  const at = tickAxisTime(tick);
  const start = seconds === null || at === null ? null : at - (at % seconds);
  if (start !== null && start < newest.time) return liveBars;
  if (start !== null && start > newest.time) {
    const { price } = tick;
    return {
      ...liveBars,
      bars: live ? closed(bars, live) : bars,
      live: { time: start, open: price, high: price, low: price, close: price, volume },
      traded: tick.volume,
      isDayOver,
    };
  }
  if (tick.price === newest.close && volume === 0) return traded === tick.volume ? liveBars : { ...liveBars, traded: tick.volume, isDayOver };
  return {
    ...liveBars,
    live: {
      ...newest,
      close: tick.price,
      high: Math.max(newest.high, tick.price),
      low: Math.min(newest.low, tick.price),
      volume: newest.volume + volume,
    },
    traded: tick.volume,
    isDayOver,
  };
}

/** A day begins at its base price, in its own shares, without a trade that a bar could have. */
function isBeforeFirstTrade({ volume, price, previousClose, open, high, low }: Tick): boolean {
  return volume === 0 && [previousClose, open, high, low].every((other) => other === price);
}

/** Bars with the newest one updated by ticks. */
export function withLive(bars: readonly Bar[], live: Bar | null): readonly Bar[] {
  const last = bars.at(-1);
  if (!live || !last || live.time < last.time) return bars;
  return closed(bars, live);
}

function closed(bars: readonly Bar[], live: Bar): readonly Bar[] {
  return live.time > (bars.at(-1)?.time ?? -1) ? [...bars, live] : [...bars.slice(0, -1), live];
}
