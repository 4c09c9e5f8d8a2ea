import type { OrderPreview } from '@/shared/api/types';
import { isMissing } from '@/shared/format/number';
import { won } from '@/shared/format/won';
import { orderCopy } from '@/features/order/copy';
import type { PriceKind } from './orderSides';

/** The total of an order, with `약` while it may still come to something else. */
export function totalText(preview: OrderPreview | undefined, kind: PriceKind): string {
  const total = won(preview?.total);
  return preview && isEstimate(preview, kind) ? orderCopy.about(total) : total;
}

/** Whether the sums of an order may still change: at the market its price does, and in dollars the rate does until it fills. */
export function isEstimate({ appliedFxRate }: OrderPreview, kind: PriceKind): boolean {
  return kind === 'market' || !isMissing(appliedFxRate);
}
