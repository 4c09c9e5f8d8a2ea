import { won } from '@/shared/format/won';
import { haptic } from '@/shared/platform/haptics';
import type { PickedAccount } from '@/shared/ui/AccountPicker';
import { Amount } from '@/shared/ui/Amount';
import { ChevronDownIcon } from '@/shared/ui/icons';
import { accountPicker } from '@/shared/copy/copy.account';
import styles from './Transfer.module.css';
import { transferCopy } from './copy';
import { SwapIcon } from './SwapIcon';

interface AccountPairProps {
  from: PickedAccount;
  to: PickedAccount | null;
  canSwap: boolean;
  onPickFrom: () => void;
  onPickTo: () => void;
  onSwap: () => void;
}

/** The two accounts of a transfer, with a button that exchanges them. */
export function AccountPair({ from, to, canSwap, onPickFrom, onPickTo, onSwap }: AccountPairProps) {
  return (
    <div className={styles.pair}>
      <div className={styles.sides}>
        <Side label={transferCopy.from} account={from} onClick={onPickFrom} />
        <Side label={transferCopy.to} account={to} onClick={onPickTo} />
      </div>
      <button
        type="button"
        className={styles.swap}
        aria-label={transferCopy.swap}
        aria-disabled={!canSwap || undefined}
        onClick={() => {
          if (!canSwap) return;
          haptic('selection');
          onSwap();
        }}
      >
        <SwapIcon />
      </button>
    </div>
  );
}

function Side({ label, account, onClick }: { label: string; account: PickedAccount | null; onClick: () => void }) {
  return (
    <button type="button" className={styles.side} onClick={onClick}>
      <span className={styles.sideMain}>
        <span className={styles.sideLabel}>{label}</span>{' '}
        <span className={styles.sideText}>
          <span className={account ? styles.sideName : styles.unchosen}>{account?.actNm ?? transferCopy.chooseTo}</span>{' '}
          {account && (
            <span className={styles.sideDetail}>{account.isOpen ? <Amount>{won(account.amount)}</Amount> : accountPicker.opens}</span>
          )}
        </span>
      </span>
      <ChevronDownIcon size={18} />
    </button>
  );
}
