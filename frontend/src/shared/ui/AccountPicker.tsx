import { useId } from 'react';
import { accountPicker } from '@/shared/copy/copy.account';
import { won } from '@/shared/format/won';
import { haptic } from '@/shared/platform/haptics';
import styles from './AccountPicker.module.css';
import { Amount } from './Amount';
import { CheckIcon } from './icons';
import { Sheet } from './Sheet';

export interface PickedAccount {
  /** The number, or the bare code of an account that is not open yet. */
  acno: string;
  actNm: string;
  isOpen: boolean;
  /** Won shown at the account; null while unknown. */
  amount: number | null;
  /** What the account is for. */
  note?: string;
}

interface AccountPickerProps {
  open: boolean;
  title: string;
  accounts: readonly PickedAccount[];
  selected: string | null;
  /** What the amounts are, such as the cash that can be used. */
  amountLabel: string;
  onPick: (acno: string) => void;
  onClose: () => void;
}

/** Chooses one of the member's accounts. */
export function AccountPicker({ open, title, accounts, selected, amountLabel, onPick, onClose }: AccountPickerProps) {
  const id = useId();
  return (
    <Sheet open={open} title={title} onClose={onClose}>
      <ul className={styles.list}>
        {accounts.map(({ acno, actNm, isOpen, amount, note }) => (
          <li key={acno}>
            <button
              type="button"
              className={styles.account}
              aria-pressed={acno === selected}
              aria-labelledby={`${id}-${acno}`}
              onClick={() => {
                haptic('selection');
                onPick(acno);
              }}
            >
              <span id={`${id}-${acno}`} className={styles.text}>
                <span className={styles.name}>{actNm}</span>{' '}
                {note && <span className={styles.detail}>{note} </span>}
                <span className={styles.detail}>
                  {isOpen ? (
                    <>
                      {`${amountLabel} `}
                      <Amount>{won(amount)}</Amount>
                    </>
                  ) : (
                    accountPicker.opens
                  )}
                </span>
              </span>
              {acno === selected && <CheckIcon />}
            </button>
          </li>
        ))}
      </ul>
    </Sheet>
  );
}
