import { useEffect, useRef, useState } from 'react';
import type { Item } from '@/shared/api/types';
import type { SessionMarkName } from '@/shared/copy/copy.shared';
import { quoteChange, useLiveQuote } from '@/shared/realtime/useTick';
import { markOf } from '@/shared/ui/SessionMark';

export interface LivePrice {
  price: number;
  changePercent: number;
  /** Won per dollar; null for instruments quoted in won. */
  fxRate: number | null;
  /** The best quotes of the order book, where known. */
  bid: number | null;
  ask: number | null;
  /** A halt, an interruption or a call auction; null during normal trading. */
  mark: SessionMarkName | null;
}

const UPDATE_INTERVAL_MS = 250;

/** The live price, updated at most four times a second so that it stays readable. */
export function useLivePrice(item: Item): LivePrice {
  const quote = useLiveQuote(item);
  const { price, fxRate, bid, ask } = quote;
  const newest = { price, changePercent: quoteChange(quote), fxRate, bid, ask, mark: markOf(quote) };
  const [shown, setShown] = useState(newest);
  const latest = useRef(newest);
  useEffect(() => {
    latest.current = newest;
  });
  useEffect(() => {
    const timer = setInterval(
      () => setShown((current) => (isSame(current, latest.current) ? current : latest.current)),
      UPDATE_INTERVAL_MS,
    );
    return () => clearInterval(timer);
  }, []);
  return shown;
}

function isSame(one: LivePrice, other: LivePrice): boolean {
  return one.price === other.price && one.bid === other.bid && one.ask === other.ask && one.mark === other.mark;
}
