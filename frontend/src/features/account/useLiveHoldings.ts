import { useMemo } from 'react';
import type { Holding } from '@/shared/api/types';
import type { Tick } from '@/shared/realtime/tick';
import { tickStore } from '@/shared/realtime/tickStore';
import { totalOf, valueHolding, type Valued } from './holdingsValue';
import { useTickSecond } from './secondClock';

/** A holding, its value, and the tick it is based on; without one, the server's last price. */
export interface LiveHolding {
  holding: Holding;
  valued: Valued;
  tick: Tick | undefined;
}

/** The values of holdings and their sum at one instant, updated at most once a second. */
export function useLiveHoldings(holdings: readonly Holding[]): { rows: readonly LiveHolding[]; total: Valued } {
  const second = useTickSecond(holdings);
  return useMemo(
    () => {
      const rows = holdings.map(valueNow);
      return { rows, total: totalOf(rows.map(({ valued }) => valued)) };
    },
    // The ticks live outside React; `second` is what says that some have changed.
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [holdings, second],
  );
}

/** The sum alone, at the same instant. */
export function useLiveTotal(holdings: readonly Holding[]): Valued {
  return useLiveHoldings(holdings).total;
}

const known = new WeakMap<Holding, LiveHolding>();

/** The same object while the instrument does not trade, so that only changed rows render. */
function valueNow(holding: Holding): LiveHolding {
  const tick = tickStore.get(holding.isuSrtCd);
  const before = known.get(holding);
  if (before && before.tick === tick) return before;
  const row = { holding, valued: valueHolding(holding, tick), tick };
  known.set(holding, row);
  return row;
}
