import type { OrderTerms } from '@/shared/api/types';
import { quantity } from '@/shared/format/number';
import { won } from '@/shared/format/won';
import { Bone } from '@/shared/ui/Skeleton';
import type { AccountChoice } from '@/features/order/account/useOrderAccount';
import { issueCopy, orderCopy } from '@/features/order/copy';
import type { OrderEntry } from '@/features/order/rules/orderCheck';
import { missingWon, totalText } from '@/features/order/rules/sums';
import styles from './OrderSheet.module.css';
import type { PreviewAnswer } from './useOrderPreview';

interface OrderSummaryProps {
  entry: OrderEntry;
  unit: string;
  terms: OrderTerms;
  account: AccountChoice;
  answer: PreviewAnswer;
}

/** The available cash or quantity, unless the account is chosen above, and the total that the confirmation shows. */
export function OrderSummary({ entry, unit, terms, account, answer }: OrderSummaryProps) {
  const { side, kind } = entry;
  const { preview, isPending } = answer;
  const shortWon = preview ? missingWon(entry, preview, terms) : 0;
  return (
    <dl className={styles.summary}>
      {account.accounts.length < 2 && (
        <div>
          <dt>
            {account.chosen?.isBasic === false && `${account.chosen.actNm} · `}
            {side === 'buy' ? orderCopy.orderable : orderCopy.owned}
          </dt>
          <dd>{side === 'buy' ? won(terms.availableCash) : quantity(terms.sellableQty) + unit}</dd>
        </div>
      )}
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
