import { useId } from 'react';
import { haptic } from '@/shared/platform/haptics';
import { CheckIcon } from '@/shared/ui/icons';
import { Sheet } from '@/shared/ui/Sheet';
import { accountCopy } from '@/features/order/copy.account';
import type { OrderSide } from '@/features/order/rules/orderSides';
import styles from './Account.module.css';
import { contentOf } from './AccountRow';
import type { AccountChoice } from './useOrderAccount';

interface AccountSheetProps {
  open: boolean;
  choice: AccountChoice;
  side: OrderSide;
  unit: string;
  onClose: () => void;
}

/** Chooses the account of an order. A tap chooses and closes; arrow keys choose, and Enter closes. */
export function AccountSheet({ open, choice: { accounts, acno, pick }, side, unit, onClose }: AccountSheetProps) {
  const id = useId();
  return (
    <Sheet open={open} title={accountCopy.question(side)} onClose={onClose}>
      <fieldset className={styles.choices}>
        <legend className="sr-only">{accountCopy.choices}</legend>
        {accounts.map((account) => (
          <div key={account.acno} className={styles.choice}>
            <input
              type="radio"
              name={id}
              className={styles.radio}
              checked={account.acno === acno}
              aria-labelledby={`${id}-${account.acno}`}
              onChange={() => {
                haptic('selection');
                pick(account.acno);
              }}
              // Arrow keys click as well, without a pointer.
              onClick={(event) => event.detail > 0 && onClose()}
              onKeyDown={(event) => {
                if (event.key !== 'Enter') return;
                // The focus returns to the row, and the same key would open it again.
                event.preventDefault();
                onClose();
              }}
            />
            <span id={`${id}-${account.acno}`} className={styles.text}>
              <span className={styles.name}>{account.actNm}</span> <span className={styles.content}>{contentOf(account, side, unit)}</span>
            </span>
            {account.acno === acno && <CheckIcon />}
          </div>
        ))}
      </fieldset>
    </Sheet>
  );
}
