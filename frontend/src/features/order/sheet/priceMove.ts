import { changePct } from '@/shared/format/pct';

const RECONFIRM_PERCENT = 3;

/** The price of a market order at one moment. */
export interface MarketPrice {
  /** The price of the server's preview; null before it has answered. */
  previewed: number | null;
  traded: number;
}

/**
 * How far a market order's price has moved since it was agreed to, in percent; null while that is too little to ask again. The
 * previewed price decides because it is the one shown; the last trade only without a preview.
 */
export function moveToReconfirm(agreed: MarketPrice, now: MarketPrice): number | null {
  const moved =
    agreed.previewed === null || now.previewed === null
      ? changePct(now.traded, agreed.traded)
      : changePct(now.previewed, agreed.previewed);
  return moved !== null && Math.abs(moved) > RECONFIRM_PERCENT ? moved : null;
}
