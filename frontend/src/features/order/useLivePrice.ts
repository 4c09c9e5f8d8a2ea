import { useEffect, useRef, useState } from 'react';
import type { Item } from '@/shared/api/types';
import { quoteChange, useLiveQuote } from '@/shared/realtime/useTick';

/** A price to order by. */
export interface LivePrice {
  price: number;
  changePercent: number;
  /** Won per dollar; null for instruments quoted in won. */
  fxRate: number | null;
}

const SHOW_EVERY_MS = 250;

/** The instrument's price, at most four times a second: fast enough to trust, slow enough to read. */
export function useLivePrice(item: Item): LivePrice {
  const quote = useLiveQuote(item);
  const newest = { price: quote.price, changePercent: quoteChange(quote), fxRate: quote.fxRate };
  const [shown, setShown] = useState(newest);
  const latest = useRef(newest);
  useEffect(() => {
    latest.current = newest;
  });
  useEffect(() => {
    const timer = setInterval(
      () => setShown((current) => (current.price === latest.current.price ? current : latest.current)),
      SHOW_EVERY_MS,
    );
    return () => clearInterval(timer);
  }, []);
  return shown;
}
