import type { OrderPreview, OrderTerms } from '@/shared/api/types';
import { isMissing } from '@/shared/format/number';
import { won } from '@/shared/format/won';
import { orderCopy } from '@/features/order/copy';
import type { OrderEntry } from './orderCheck';
import type { PriceKind } from './orderSides';

/** The total of an order; `약` marks an estimate. */
export function totalText(preview: OrderPreview | undefined, kind: PriceKind): string {
  const total = won(preview?.total);
  return preview && isEstimate(preview, kind) ? orderCopy.about(total) : total;
}

/** Whether the sums may still change: market orders with their price, dollar orders with the exchange rate, until they fill. */
export function isEstimate({ appliedFxRate }: OrderPreview, kind: PriceKind): boolean {
  return kind === 'market' || !isMissing(appliedFxRate);
}

/** Won that an order would hold beyond the available cash: buying power is checked against the hold, not against the expected cost. */
export function missingWon({ amount }: OrderEntry, { hold }: OrderPreview, { availableCash }: OrderTerms): number {
  const needed = amount ?? hold;
  return isMissing(needed) ? 0 : Math.max(0, needed - availableCash);
}
