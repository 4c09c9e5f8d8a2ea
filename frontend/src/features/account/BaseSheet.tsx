import type { Account } from '@/shared/api/types';
import { won } from '@/shared/format/won';
import { type Fact, Facts } from '@/shared/ui/Facts';
import { Sheet } from '@/shared/ui/Sheet';
import { movedBetween } from './accountKinds';
import styles from './Accounts.module.css';
import { Amount } from '@/shared/ui/Amount';
import { accountsCopy } from './copy.accounts';

/** The cost base of an account's return, as a formula with its figures. */
export function BaseSheet({ open, account, onClose }: { open: boolean; account: Account; onClose: () => void }) {
  const parts: [label: string, amount: number][] = [
    [accountsCopy.parts.given, account.depositInit],
    [accountsCopy.parts.points, account.depositEducationPoint],
    [accountsCopy.parts.bought, account.buyDeposit],
    [accountsCopy.parts.items, -account.purchasedItems],
  ];
  const moved = movedBetween(account);
  if (moved !== 0) parts.push([accountsCopy.parts.moved, moved]);
  return (
    <Sheet open={open} title={accountsCopy.baseTitle} onClose={onClose}>
      <p className={styles.formula}>{accountsCopy.formula}</p>
      <Facts facts={parts.map(amountFact)} sum={amountFact([accountsCopy.base, account.base])} />
      <p className={styles.note}>{accountsCopy.rateNote}</p>
    </Sheet>
  );
}

function amountFact([label, amount]: [label: string, amount: number]): Fact {
  return [label, <Amount>{won(amount)}</Amount>];
}
