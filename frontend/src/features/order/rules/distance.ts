import { changePct, pct } from '@/shared/format/pct';
import { distanceCopy } from '@/features/order/copy';

/** How far a limit price lies from the price of now, as a sentence; null while that is not known. */
export function distanceSentence(limitPrice: number, livePrice: number | null | undefined): string | null {
  const away = livePrice === null || livePrice === undefined ? null : changePct(limitPrice, livePrice);
  if (away === null) return null;
  const percent = pct(Math.abs(away));
  if (percent === '0%') return distanceCopy.none;
  return away > 0 ? distanceCopy.above(percent) : distanceCopy.below(percent);
}
