import { useCallback, useSyncExternalStore } from 'react';
import type { Item } from '@/shared/api/types';
import { changePct } from '@/shared/format/pct';
import { type Destination, destinationOf, type Tick, tickFromItem } from './tick';
import { tickStore } from './tickStore';

/** The latest live tick of an instrument; mounting subscribes to it. */
export function useTick(code: string, destination: Destination): Tick | undefined {
  const subscribe = useCallback(
    (listener: () => void) => tickStore.subscribe(code, destination, listener),
    [code, destination],
  );
  return useSyncExternalStore(subscribe, () => tickStore.get(code));
}

/** The current price: the live tick, unless REST returned a newer one. */
export function useLiveQuote(item: Item): Tick {
  return newest(useTick(item.isuSrtCd, destinationOf(item.marketCode)), item);
}

/** A value derived from the current price. Renders only when that value changes. */
export function useQuoteValue<Value extends string | null>(item: Item, read: (quote: Tick) => Value): Value {
  const { isuSrtCd: code, marketCode } = item;
  const subscribe = useCallback((listener: () => void) => tickStore.subscribe(code, destinationOf(marketCode), listener), [code, marketCode]);
  return useSyncExternalStore(subscribe, () => read(liveQuote(item)));
}

/** The current price, outside React. */
export function liveQuote(item: Item): Tick {
  return newest(tickStore.get(item.isuSrtCd), item);
}

function newest(tick: Tick | undefined, item: Item): Tick {
  return tick && !isNewer(item, tick) ? tick : tickFromItem(item);
}

/**
 * A day begins without a trade, after a split at another price: the sequence stays, and there is no volume yet. A phone that is
 * not connected hears of it from REST alone.
 */
function isNewer(item: Item, tick: Tick): boolean {
  return item.tickSeq === tick.seq ? item.accVol === 0 && tick.volume > 0 : item.tickSeq > tick.seq;
}

/** Change since the previous close in percent, for live and stored prices alike. */
export function quoteChange({ price, previousClose, changePercent }: Tick): number {
  return changePct(price, previousClose) ?? changePercent;
}
