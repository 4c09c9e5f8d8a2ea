import type { OrderTerms } from '@/shared/api/types';
import { quantity } from '@/shared/format/number';
import { won } from '@/shared/format/won';
import { ChevronIcon } from '@/shared/ui/icons';
import { accountCopy } from '@/features/order/copy.account';
import type { OrderSide } from '@/features/order/rules/orderSides';
import styles from './Account.module.css';
import type { OrderAccount } from './orderAccounts';

interface AccountRowProps {
  account: OrderAccount;
  /** The current terms of the account; null while they load. */
  terms: OrderTerms | null;
  side: OrderSide;
  unit: string;
  onOpen: () => void;
}

/** The account of the order with what it has; opens the choice of another. */
export function AccountRow({ account, terms, side, unit, onOpen }: AccountRowProps) {
  const now = terms === null ? account : { ...account, availableWon: terms.availableCash, sellableQty: terms.sellableQty };
  return (
    <button type="button" className={styles.row} aria-haspopup="dialog" onClick={onOpen}>
      <span className={styles.rowText}>{accountCopy.row(account.actNm, contentOf(now, side, unit))}</span>
      <span className={styles.change}>
        {accountCopy.change}
        <ChevronIcon size={16} />
      </span>
    </button>
  );
}

/** What an order can use of an account: its cash, or the quantity it can sell. */
export function contentOf({ availableWon, sellableQty }: OrderAccount, side: OrderSide, unit: string): string {
  return side === 'buy' ? accountCopy.orderable(won(availableWon)) : accountCopy.owned(quantity(sellableQty) + unit);
}
