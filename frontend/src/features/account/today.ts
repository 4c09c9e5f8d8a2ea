import type { Holding } from '@/shared/api/types';
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
 * themselves (`traded`, which the server knows). Null while either cannot be told.
 */
export function todayOf(rows: readonly Priced[], totalWon: number, traded: number | null | undefined): Today | null {
  if (isMissing(traded)) return null;
  let changeWon = traded;
  for (const { holding, valued, tick } of rows) {
    const close = tick?.previousClose ?? holding.prevDdPrc;
    const closeWon = isMissing(close) ? null : valueAt(holding, { price: close, fxRate: tick?.fxRate ?? null });
    if (valued.valueWon === null || closeWon === null) return null;
    changeWon += valued.valueWon - closeWon;
  }
  const beforeWon = totalWon - changeWon;
  return { changeWon, changePercent: beforeWon > 0 ? (changeWon / beforeWon) * 100 : null };
}
