import { useEffect, useRef, useState } from 'react';
import type { Item } from '@/shared/api/types';
import type { SessionMarkName } from '@/shared/copy/copy.shared';
import { quoteChange, useLiveQuote } from '@/shared/realtime/useTick';
import { markOf } from '@/shared/ui/SessionMark';

/** A price to order by. */
export interface LivePrice {
  price: number;
  changePercent: number;
  /** Won per dollar; null for instruments quoted in won. */
  fxRate: number | null;
  /** A halt, an interruption or a call auction; null while trading goes its usual way. */
  mark: SessionMarkName | null;
}

const SHOW_EVERY_MS = 250;

/** The instrument's price, at most four times a second: fast enough to trust, slow enough to read. */
export function useLivePrice(item: Item): LivePrice {
  const quote = useLiveQuote(item);
  const newest = { price: quote.price, changePercent: quoteChange(quote), fxRate: quote.fxRate, mark: markOf(quote) };
  const [shown, setShown] = useState(newest);
  const latest = useRef(newest);
  useEffect(() => {
    latest.current = newest;
  });
  useEffect(() => {
    const timer = setInterval(
      () => setShown((current) => (isSame(current, latest.current) ? current : latest.current)),
      SHOW_EVERY_MS,
    );
    return () => clearInterval(timer);
  }, []);
  return shown;
}

function isSame(one: LivePrice, other: LivePrice): boolean {
  return one.price === other.price && one.mark === other.mark;
}
