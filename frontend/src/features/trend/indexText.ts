import { isMissing, withoutNegativeZero } from '@/shared/format/number';
import { won } from '@/shared/format/won';

const POINTS = new Intl.NumberFormat('ko-KR', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** An index as people know it: points with two decimals, `2,612.34`, or whole won, `128,500원`. */
export function indexText(value: number | null | undefined, isWon: boolean): string {
  if (isMissing(value)) return '-';
  return isWon ? won(Math.round(value)) : withoutNegativeZero(POINTS.format(value));
}
