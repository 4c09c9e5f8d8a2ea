import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { Link } from 'react-router';
import { assetsQuery } from '@/shared/api/assetsQuery';
import type { Account, Holding } from '@/shared/api/types';
import { changePct } from '@/shared/format/pct';
import { won } from '@/shared/format/won';
import { contractHref } from '@/shared/moneyPaths';
import { Facts } from '@/shared/ui/Facts';
import { GainText } from '@/shared/ui/GainText';
import { ChevronIcon } from '@/shared/ui/icons';
import { InfoIcon } from '@/shared/ui/laterIcons';
import { Bone } from '@/shared/ui/Skeleton';
import { ErrorState } from '@/shared/ui/States';
import { isContract } from './accountKinds';
import styles from './Accounts.module.css';
import { Amount } from '@/shared/ui/Amount';
import { BaseSheet } from './BaseSheet';
import { accountsCopy } from './copy.accounts';
import { useHoldings } from './useHoldings';
import { useLiveTotal } from './useLiveHoldings';

/** A card per account: its content, and its return on the money put in. */
export function Accounts({ memberSid }: { memberSid: number }) {
  const assets = useQuery(assetsQuery(memberSid));
  const { holdings, hasAll } = useHoldings(memberSid);
  const [explained, setExplained] = useState<Account | null>(null);
  const [isOpen, setOpen] = useState(false);
  if (assets.isPending) return <CardSkeleton />;
  if (!assets.data) return <ErrorState error={assets.error} onRetry={() => void assets.refetch()} />;
  return (
    <>
      <ul className={styles.cards}>
        {assets.data.accounts.map((account) => (
          <li key={account.acno}>
            <AccountCard
              account={account}
              holdings={hasAll ? holdings : null}
              onExplain={() => {
                setExplained(account);
                setOpen(true);
              }}
            />
          </li>
        ))}
      </ul>
      {explained && <BaseSheet open={isOpen} account={explained} onClose={() => setOpen(false)} />}
    </>
  );
}

interface AccountCardProps {
  account: Account;
  /** All holdings; null until all are loaded. */
  holdings: readonly Holding[] | null;
  onExplain: () => void;
}

function AccountCard({ account, holdings, onExplain }: AccountCardProps) {
  const own = useMemo(() => holdings?.filter(({ acno }) => acno === account.acno) ?? [], [account.acno, holdings]);
  const live = useLiveTotal(own);
  const name = account.actNm;
  // Without holdings, as in a contract, the server's total stands.
  const liveWon = own.length > 0 ? live.valueWon : null;
  const value = liveWon ?? account.holdingsValue;
  const total = liveWon === null ? account.total : account.deposit + liveWon;
  const profit = total - account.base;
  const percent = changePct(total, account.base);
  return (
    <section className={styles.card} aria-label={name}>
      <h2 className={styles.name}>
        {isContract(account) ? (
          <Link to={contractHref(account.acno)} className={styles.link}>
            {name}
            <ChevronIcon size={18} />
          </Link>
        ) : (
          name
        )}
      </h2>
      <p className={styles.number}>{account.acno}</p>
      <p className={styles.total}>
        <Amount>{won(total)}</Amount>
      </p>
      <div className={styles.profit}>
        <GainText won={profit} percent={percent} />
        <button type="button" className={styles.info} aria-label={accountsCopy.explain(name)} onClick={onExplain}>
          <InfoIcon size={18} />
        </button>
      </div>
      <div className={styles.facts}>
        <Facts facts={amountsOf(account, value).map(([label, amount]) => [label, <Amount>{won(amount)}</Amount>])} />
      </div>
    </section>
  );
}

function amountsOf(account: Account, value: number): (readonly [label: string, amount: number])[] {
  const { deposit, available, held, holdingsCost } = account;
  if (isContract(account)) {
    return [
      [accountsCopy.saved, deposit],
      [accountsCopy.accrued, value],
    ];
  }
  return [
    [accountsCopy.deposit, deposit],
    [accountsCopy.available, available],
    // Reserved money gets a line only while there is some.
    ...(held > 0 ? [[accountsCopy.held, held] as const] : []),
    [accountsCopy.invested, holdingsCost],
    [accountsCopy.value, value],
  ];
}

function CardSkeleton() {
  return (
    <div aria-busy="true">
      <div aria-hidden="true" className={styles.cards}>
        <div className={styles.card}>
          <Bone width={90} height={24} />
          <div className={styles.total}>
            <Bone width="60%" height={32} />
          </div>
          <div className={styles.facts}>
            <Bone width="100%" height={20} />
            <Bone width="100%" height={20} />
            <Bone width="100%" height={20} />
          </div>
        </div>
      </div>
    </div>
  );
}
