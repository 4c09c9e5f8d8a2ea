import type { OrderPreview, OrderTerms } from '@/shared/api/types';
import { isMissing, quantity } from '@/shared/format/number';
import { won } from '@/shared/format/won';
import { Bone } from '@/shared/ui/Skeleton';
import { issueCopy, orderCopy } from '@/features/order/copy';
import type { OrderSide, PriceKind } from '@/features/order/rules/orderSides';
import { totalText } from '@/features/order/rules/sums';
import styles from './OrderSheet.module.css';
import type { PreviewAnswer } from './useOrderPreview';

interface OrderSummaryProps {
  side: OrderSide;
  kind: PriceKind;
  unit: string;
  terms: OrderTerms;
  answer: PreviewAnswer;
}

/** The available cash or quantity, and the total that the confirmation shows. */
export function OrderSummary({ side, kind, unit, terms, answer }: OrderSummaryProps) {
  const { preview, isPending } = answer;
  const shortWon = preview ? missingWon(preview, terms) : 0;
  return (
    <dl className={styles.summary}>
      <div>
        <dt>{side === 'buy' ? orderCopy.orderable : orderCopy.owned}</dt>
        <dd>{side === 'buy' ? won(terms.availableCash) : quantity(terms.sellableQty) + unit}</dd>
      </div>
      <div>
        <dt>{orderCopy.expected}</dt>
        <dd className={shortWon > 0 ? styles.over : undefined} aria-busy={isPending}>
          {isPending && <Bone width={96} height={18} />}
          {!isPending && (shortWon > 0 ? issueCopy.overCash(won(shortWon)) : totalText(preview, kind))}
        </dd>
      </div>
    </dl>
  );
}

// Buying power is checked against the reserved amount, not against the expected cost.
function missingWon({ hold }: OrderPreview, { availableCash }: OrderTerms): number {
  return isMissing(hold) ? 0 : Math.max(0, hold - availableCash);
}
