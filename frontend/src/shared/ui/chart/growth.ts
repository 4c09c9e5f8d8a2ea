import type { Tick } from '@/shared/realtime/tick';
import { type Bar, tickAxisTime } from './bars';

/** Bars of the server and what live prices have made since. */
export interface Growth {
  /** The server's bars this was made of; others begin it anew. */
  server: readonly Bar[];
  /** Bars that change no more. The newest of them may be the one that `live` is about. */
  bars: readonly Bar[];
  /** The newest bar as ticks have changed it; null before the first change. */
  live: Bar | null;
  /** What the day had traded at the last tick; null before one. */
  traded: number | null;
  /** Whether a tick has counted from zero again, so that another day has begun since these bars were loaded. */
  isDayOver: boolean;
}

export const NO_GROWTH: Growth = { server: [], bars: [], live: null, traded: null, isDayOver: false };

/** Takes over bars that were loaded. What ticks have made after the newest of them stays. */
export function adopt({ bars, live, traded }: Growth, server: readonly Bar[]): Growth {
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
 * What a tick makes of the bars; the same object when it changes nothing. A bar lasts `seconds`; null = a calendar interval, in
 * which a tick only moves the newest bar.
 */
export function grow(growth: Growth, tick: Tick, seconds: number | null): Growth {
  const { bars, live, traded } = growth;
  const isDayOver = growth.isDayOver || (traded !== null && tick.volume < traded);
  const newest = live ?? bars.at(-1);
  if (!newest) return growth;
  // A day that begins counts from zero.
  const volume = traded === null ? 0 : Math.max(0, tick.volume - traded);
  const at = tickAxisTime(tick);
  const start = seconds === null || at === null ? null : at - (at % seconds);
  if (start !== null && start < newest.time) return growth;
  if (start !== null && start > newest.time) {
    const { price } = tick;
    return {
      ...growth,
      bars: live ? closed(bars, live) : bars,
      live: { time: start, open: price, high: price, low: price, close: price, volume },
      traded: tick.volume,
      isDayOver,
    };
  }
  if (tick.price === newest.close && volume === 0) return traded === tick.volume ? growth : { ...growth, traded: tick.volume, isDayOver };
  return {
    ...growth,
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

/** Bars with the newest one as ticks have changed it. */
export function withLive(bars: readonly Bar[], live: Bar | null): readonly Bar[] {
  const last = bars.at(-1);
  if (!live || !last || live.time < last.time) return bars;
  return closed(bars, live);
}

function closed(bars: readonly Bar[], live: Bar): readonly Bar[] {
  return live.time > (bars.at(-1)?.time ?? -1) ? [...bars, live] : [...bars.slice(0, -1), live];
}
