import { useEffect, useMemo, useState } from 'react';
import type { Holding } from '@/shared/api/types';
import { destinationOf } from '@/shared/realtime/tick';
import { tickStore } from '@/shared/realtime/tickStore';
import { totalOf, valueHolding, type Valued } from './holdingsValue';

const TOTAL_EVERY_MS = 1_000;

/** The live total of holdings, reckoned at most once a second however many ticks come. */
export function useLiveTotal(holdings: readonly Holding[]): Valued {
  const second = useTickSecond(holdings);
  return useMemo(
    () => totalOf(holdings.map((holding) => valueHolding(holding, tickStore.get(holding.isuSrtCd)))),
    // The ticks live outside React; `second` is what says that some have changed.
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [holdings, second],
  );
}

function useTickSecond(holdings: readonly Holding[]): number {
  const [second, setSecond] = useState(0);
  useEffect(() => {
    let hasChanged = true;
    const stops = holdings.map(({ isuSrtCd, marketCode }) =>
      tickStore.subscribe(isuSrtCd, destinationOf(marketCode), () => {
        hasChanged = true;
      }),
    );
    const timer = setInterval(() => {
      if (!hasChanged) return;
      hasChanged = false;
      setSecond((count) => count + 1);
    }, TOTAL_EVERY_MS);
    return () => {
      clearInterval(timer);
      for (const stop of stops) stop();
    };
  }, [holdings]);
  return second;
}
