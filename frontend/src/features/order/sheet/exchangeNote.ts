import { pct } from '@/shared/format/pct';
import { won } from '@/shared/format/won';
import { isMissing } from '@/shared/format/number';
import { confirmCopy } from '@/features/order/copy';

interface Rates {
  /** The middle rate; null for instruments traded in won. */
  fxRate?: number | null;
  /** The rate paid or received, spread included. */
  appliedFxRate?: number | null;
}

/** The exchange rate of an order and its spread from the middle rate; null for instruments traded in won. */
export function exchangeNote({ fxRate, appliedFxRate }: Rates): { rate: string; made: string } | null {
  if (isMissing(fxRate) || isMissing(appliedFxRate) || fxRate === 0) return null;
  const spreadPercent = (Math.abs(appliedFxRate - fxRate) / fxRate) * 100;
  return { rate: won(appliedFxRate), made: confirmCopy.rateMade(won(fxRate), pct(spreadPercent)) };
}
