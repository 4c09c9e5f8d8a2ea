import type { Destination, Tick } from './tick';

type Listener = () => void;

interface Interest {
  destination: Destination;
  listeners: Set<Listener>;
}

/**
 * The latest tick of each instrument, outside React. A burst costs one flush per frame, and a flush calls only the listeners of
 * changed codes. The listeners also determine the socket's subscriptions.
 */
export function createTickStore(onNextFrame: (flush: () => void) => void = requestFlush) {
  const shown = new Map<string, Tick>();
  const pending = new Map<string, Tick>();
  const interests = new Map<string, Interest>();
  const interestListeners = new Set<Listener>();
  let isFlushScheduled = false;

  function flush(): void {
    isFlushScheduled = false;
    const changed = [...pending.keys()];
    for (const [code, tick] of pending) shown.set(code, tick);
    pending.clear();
    for (const code of changed) {
      for (const listener of interests.get(code)?.listeners ?? []) listener();
    }
  }

  return {
    /** Takes ticks in any order; older and repeated ones are dropped. Of one trade the one that arrives last counts. */
    apply(ticks: readonly Tick[]): void {
      for (const tick of ticks) {
        const known = pending.get(tick.code) ?? shown.get(tick.code);
        if (!known || isNewer(tick, known)) pending.set(tick.code, tick);
      }
      if (pending.size > 0 && !isFlushScheduled) {
        isFlushScheduled = true;
        onNextFrame(flush);
      }
    },

    /** The same object until the next flush of this code. */
    get(code: string): Tick | undefined {
      return shown.get(code);
    },

    subscribe(code: string, destination: Destination, listener: Listener): () => void {
      let interest = interests.get(code);
      if (!interest) {
        interest = { destination, listeners: new Set() };
        interests.set(code, interest);
        notifyInterest();
      }
      interest.listeners.add(listener);
      return () => {
        interest.listeners.delete(listener);
        if (interest.listeners.size === 0 && interests.get(code) === interest) {
          interests.delete(code);
          notifyInterest();
        }
      };
    },

    isWatched(code: string, destination: Destination): boolean {
      return interests.get(code)?.destination === destination;
    },

    /** The watched codes by channel. */
    watched(): Map<Destination, Set<string>> {
      const byDestination = new Map<Destination, Set<string>>();
      for (const [code, { destination }] of interests) {
        const codes = byDestination.get(destination) ?? new Set();
        byDestination.set(destination, codes.add(code));
      }
      return byDestination;
    },

    onWatchedChange(listener: Listener): () => void {
      interestListeners.add(listener);
      return () => interestListeners.delete(listener);
    },

    clear(): void {
      shown.clear();
      pending.clear();
    },
  };

  function notifyInterest(): void {
    for (const listener of interestListeners) listener();
  }
}

/** A change of session and the start of a day, with or without a split, come without a trade: the sequence stays. */
function isNewer(tick: Tick, known: Tick): boolean {
  if (tick.seq !== known.seq) return tick.seq > known.seq;
  return CHANGED_WITHOUT_TRADE.some((field) => tick[field] !== known[field]);
}

const CHANGED_WITHOUT_TRADE = ['session', 'interruption', 'price', 'previousClose', 'open', 'high', 'low', 'volume'] as const;

function requestFlush(flush: () => void): void {
  requestAnimationFrame(flush);
}

export const tickStore = createTickStore();
