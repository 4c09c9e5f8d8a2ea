import { changePct, pct } from '@/shared/format/pct';
import { distanceCopy } from '@/features/order/copy';

/** The distance of a limit price from the live price; null while unknown. */
export function distanceSentence(limitPrice: number, livePrice: number | null | undefined): string | null {
  const away = livePrice === null || livePrice === undefined ? null : changePct(limitPrice, livePrice);
  if (away === null) return null;
  const percent = pct(Math.abs(away));
  if (percent === '0%') return distanceCopy.none;
  return away > 0 ? distanceCopy.above(percent) : distanceCopy.below(percent);
}
