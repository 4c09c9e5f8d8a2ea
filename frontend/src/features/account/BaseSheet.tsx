import type { Account } from '@/shared/api/types';
import { won } from '@/shared/format/won';
import { Sheet } from '@/shared/ui/Sheet';
import { baseOf } from './accountKinds';
import styles from './Accounts.module.css';
import { Amount } from './Amount';
import { accountsCopy } from './copy';

/** What the rate of return of an account is measured against, as a formula and in this account's figures. */
export function BaseSheet({ open, account, onClose }: { open: boolean; account: Account; onClose: () => void }) {
  const parts: [label: string, amount: number][] = [
    [accountsCopy.parts.given, account.depositInit],
    [accountsCopy.parts.points, account.depositEducationPoint],
    [accountsCopy.parts.bought, account.buyDeposit],
    [accountsCopy.parts.items, -account.purchasedItems],
  ];
  return (
    <Sheet open={open} title={accountsCopy.baseTitle} onClose={onClose}>
      <p className={styles.formula}>{accountsCopy.formula}</p>
      <dl className={styles.facts}>
        {parts.map(([label, amount]) => (
          <div key={label} className={styles.fact}>
            <dt>{label}</dt>
            <dd>
              <Amount>{won(amount)}</Amount>
            </dd>
          </div>
        ))}
        <div className={`${styles.fact} ${styles.sum}`}>
          <dt>{accountsCopy.base}</dt>
          <dd>
            <Amount>{won(baseOf(account))}</Amount>
          </dd>
        </div>
      </dl>
      <p className={styles.note}>{accountsCopy.rateNote}</p>
    </Sheet>
  );
}
