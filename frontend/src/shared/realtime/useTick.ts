import { useCallback, useSyncExternalStore } from 'react';
import type { Item } from '@/shared/api/types';
import { changePct } from '@/shared/format/pct';
import { type Destination, destinationOf, type Tick, tickFromItem } from './tick';
import { tickStore } from './tickStore';

/** The newest live tick of an instrument; mounting is what subscribes to it. */
export function useTick(code: string, destination: Destination): Tick | undefined {
  const subscribe = useCallback(
    (listener: () => void) => tickStore.subscribe(code, destination, listener),
    [code, destination],
  );
  return useSyncExternalStore(subscribe, () => tickStore.get(code));
}

/** An instrument's price as of now: the live tick unless what REST said is newer. */
export function useLiveQuote(item: Item): Tick {
  return newest(useTick(item.isuSrtCd, destinationOf(item.marketCode)), item);
}

/** What `read` makes of an instrument's price as of now. It renders when that changes and not with every price. */
export function useOfQuote<Value extends string | null>(item: Item, read: (quote: Tick) => Value): Value {
  const { isuSrtCd: code, marketCode } = item;
  const subscribe = useCallback((listener: () => void) => tickStore.subscribe(code, destinationOf(marketCode), listener), [code, marketCode]);
  return useSyncExternalStore(subscribe, () => read(liveQuote(item)));
}

/** An instrument's price at this moment, outside React. */
export function liveQuote(item: Item): Tick {
  return newest(tickStore.get(item.isuSrtCd), item);
}

function newest(tick: Tick | undefined, item: Item): Tick {
  return tick && tick.seq >= item.tickSeq ? tick : tickFromItem(item);
}

/** Change since the previous close in percent, computed in one place for live and stored prices alike. */
export function quoteChange({ price, previousClose, changePercent }: Tick): number {
  return changePct(price, previousClose) ?? changePercent;
}
