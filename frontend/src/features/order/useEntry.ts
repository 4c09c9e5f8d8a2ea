import { useEffect, useRef, useState } from 'react';
import type { OrderTerms } from '@/shared/api/types';
import type { OrderEntry } from './orderCheck';
import { entryOf, type OrderForm } from './orderForm';
import type { OrderSide } from './orderSides';
import { qtyWithin } from './quantity';
import type { LivePrice } from './useLivePrice';

const STEADY_MS = 2_000;

/** What a form asks for. An amount is turned into a quantity at a price that rests for two seconds, so that it can be read. */
export function useEntry(form: OrderForm, side: OrderSide, live: LivePrice, terms: OrderTerms) {
  const steady = useSteadyPrice(live);
  const entryFor = (of: OrderForm): OrderEntry =>
    entryOf(of, side, (amountWon, limitPrice) => qtyWithin(amountWon, { side, kind: of.kind, limitPrice, live: steady, terms }));
  return { entry: entryFor(form), entryFor };
}

function useSteadyPrice(live: LivePrice): LivePrice {
  const [steady, setSteady] = useState(live);
  const latest = useRef(live);
  useEffect(() => {
    latest.current = live;
  });
  useEffect(() => {
    const timer = setInterval(() => setSteady(latest.current), STEADY_MS);
    return () => clearInterval(timer);
  }, []);
  return steady;
}
