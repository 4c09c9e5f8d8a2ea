import { changePct } from '@/shared/format/pct';

const RECONFIRM_PERCENT = 3;

/** The price of a market order at a moment, as the server reckons with it and as it was last traded at. */
export interface MarketPrice {
  /** The price of the server's sums; null while there are none. */
  previewed: number | null;
  traded: number;
}

/**
 * How far a market order's price has moved since it was last agreed to, in percent, when that is far enough to ask again. The
 * price of the sums decides, because it is the one that is shown; the last trade only while there are no sums.
 */
export function moveToReconfirm(agreed: MarketPrice, now: MarketPrice): number | null {
  const moved =
    agreed.previewed === null || now.previewed === null
      ? changePct(now.traded, agreed.traded)
      : changePct(now.previewed, agreed.previewed);
  return moved !== null && Math.abs(moved) > RECONFIRM_PERCENT ? moved : null;
}
