import type { Assets, Holding } from '@/shared/api/types';
import { isMissing } from '@/shared/format/number';
import type { Tick } from '@/shared/realtime/tick';
import { valueAt, type Valued } from './holdingsValue';

/** What the trading day has brought a member so far. */
export interface Today {
  changeWon: number;
  /** Of what they had when it began; null when that was nothing. */
  changePercent: number | null;
}

interface Priced {
  holding: Holding;
  valued: Valued;
  tick: Pick<Tick, 'previousClose' | 'fxRate'> | undefined;
}

/**
 * The change of the day: what the holdings have gained since the previous close, and what the day's trades have brought by
 * themselves, which the server knows. The dollars of those count at the same rate as what is left of them. Null while a part
 * cannot be told.
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
