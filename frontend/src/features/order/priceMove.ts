import { changePct } from '@/shared/format/pct';

const RECONFIRM_PERCENT = 3;

/** How far a market order's price has moved since it was last agreed to, in percent, when that is far enough to ask again. */
export function moveToReconfirm(agreedPrice: number | null, priceNow: number | null): number | null {
  if (agreedPrice === null || priceNow === null) return null;
  const moved = changePct(priceNow, agreedPrice);
  return moved !== null && Math.abs(moved) > RECONFIRM_PERCENT ? moved : null;
}
