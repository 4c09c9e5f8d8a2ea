import type { Assets, Holding } from '@/shared/api/types';
import { isMissing } from '@/shared/format/number';
import type { Tick } from '@/shared/realtime/tick';
import { valueAt, type Valued } from './holdingsValue';

/** The member's change of the trading day. */
export interface Today {
  changeWon: number;
  /** Relative to the start of the day; null when that was zero. */
  changePercent: number | null;
}

interface Priced {
  holding: Holding;
  valued: Valued;
  tick: Pick<Tick, 'previousClose' | 'fxRate'> | undefined;
}

/**
 * The day's change: the gain of the holdings since the previous close, and the result of the day's trades, which the server
 * computes. Dollars of both use the same rate. Null while a part is unknown.
 */
export function todayOf(rows: readonly Priced[], totalWon: number, { dayTraded, dayTradedUsd }: Pick<Assets, 'dayTraded' | 'dayTradedUsd'>): Today | null {
  if (isMissing(dayTraded)) return null;
  const tradedUsd = new Map(dayTradedUsd?.map((traded) => [traded.isuSrtCd, traded]));
  let changeWon = dayTraded;
  for (const { holding, valued, tick } of rows) {
    const close = tick?.previousClose ?? holding.prevDdPrc;
    if (valued.valueWon === null || isMissing(close)) return null;
    const traded = tradedUsd.get(holding.isuSrtCd);
    // Another account may hold the same.
    tradedUsd.delete(holding.isuSrtCd);
    const beforeWon = valueAt(holding, { price: close, fxRate: tick?.fxRate ?? null }, traded?.usd);
    if (beforeWon === null) return null;
    changeWon += valued.valueWon - beforeWon - (traded?.won ?? 0);
  }
  const beforeWon = totalWon - changeWon;
  return { changeWon, changePercent: beforeWon > 0 ? (changeWon / beforeWon) * 100 : null };
}
