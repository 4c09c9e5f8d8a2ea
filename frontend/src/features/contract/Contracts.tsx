import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Contract } from '@/shared/api/types';
import { pct } from '@/shared/format/pct';
import { won } from '@/shared/format/won';
import { contractHref } from '@/shared/moneyPaths';
import { Amount } from '@/shared/ui/Amount';
import { Avatar } from '@/shared/ui/Avatar';
import { Facts } from '@/shared/ui/Facts';
import { Section } from '@/shared/ui/Section';
import { RowsSkeleton } from '@/shared/ui/Skeleton';
import { EmptyState, ErrorState } from '@/shared/ui/States';
import { contractsQuery } from './contractApi';
import { dottedDay } from './contractDays';
import styles from './Contracts.module.css';
import { contractCopy } from './copy';
import { isKeptContract, isOpenContract, isPaymentOverdue } from './contractStatus';
import { TermProgress, timeLeft } from './TermProgress';

/** The member's deposits and savings: their sums, those that run, and those that have ended. */
export function Contracts({ memberSid, browse }: { memberSid: number; browse: ReactNode }) {
  const contracts = useQuery(contractsQuery(memberSid));
  if (contracts.isPending && contracts.fetchStatus !== 'paused') return <RowsSkeleton rows={4} />;
  if (!contracts.data) return <ErrorState error={contracts.error} onRetry={() => void contracts.refetch()} />;
  if (contracts.data.length === 0) return <EmptyState title={contractCopy.empty} action={browse} />;
  const open = contracts.data.filter(isOpenContract);
  const ended = contracts.data.filter((contract) => !isOpenContract(contract));
  return (
    <>
      {open.length > 0 && <Summary contracts={open} />}
      {open.length > 0 && (
        <Section title={contractCopy.open}>
          <ul className={styles.cards}>
            {open.map((contract) => (
              <li key={contract.acno}>
                <ContractCard contract={contract} />
              </li>
            ))}
          </ul>
        </Section>
      )}
      {ended.length > 0 && (
        <Section title={contractCopy.ended}>
          <ul className={styles.cards}>
            {ended.map((contract) => (
              <li key={contract.acno}>
                <ContractCard contract={contract} />
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  );
}

function Summary({ contracts }: { contracts: readonly Contract[] }) {
  const sum = (of: (contract: Contract) => number) => contracts.reduce((total, contract) => total + of(contract), 0);
  return (
    <section className={styles.summary} aria-label={contractCopy.summary}>
      <p className={styles.label}>{contractCopy.paidIn}</p>
      <p className={styles.total}>
        <Amount>{won(sum(({ paidIn }) => paidIn))}</Amount>
      </p>
      <Facts
        facts={[
          [contractCopy.accrued, <Amount>{won(sum(({ accrued }) => accrued))}</Amount>],
          [contractCopy.atMaturity, <Amount>{won(sum(({ payoutAtMaturity }) => payoutAtMaturity))}</Amount>],
        ]}
      />
    </section>
  );
}

function ContractCard({ contract }: { contract: Contract }) {
  const { acno, amount, name, bank, kind, rate, status, maturesOn, paidIn, paymentsMissed, payoutAtMaturity } = contract;
  const isOpen = isOpenContract(contract);
  return (
    <article className={styles.card}>
      <div className={styles.head}>
        <Avatar name={bank} />
        <div className={styles.text}>
          <h3 className={styles.name}>
            <Link to={contractHref(acno)} className={styles.link}>
              {name}
            </Link>
          </h3>
          <p className={styles.meta}>
            {bank} · {contractCopy.kind[kind]} · {contractCopy.yearly(pct(rate))}
          </p>
        </div>
        {status !== 'ACTIVE' && <span className={styles.status}>{contractCopy.status[status]}</span>}
      </div>
      {isOpen && (
        <>
          {status === 'ACTIVE' && <TermProgress contract={contract} />}
          <p className={styles.due}>
            {[contractCopy.maturesOn(dottedDay(maturesOn)), timeLeft(contract)].filter(Boolean).join(' · ')}
          </p>
          {isPaymentOverdue(contract) && <p className={styles.warning}>{contractCopy.overdue(won(amount))}</p>}
          {paymentsMissed > 0 && <p className={styles.warning}>{contractCopy.missed(paymentsMissed)}</p>}
          <Facts
            facts={[
              [contractCopy.paidIn, <Amount>{won(paidIn)}</Amount>],
              [isKeptContract(contract) ? contractCopy.keptPayout : contractCopy.atMaturity, <Amount>{won(payoutAtMaturity)}</Amount>],
            ]}
          />
        </>
      )}
      {!isOpen && <Facts facts={[[contractCopy.paid, <Amount>{won(payoutAtMaturity)}</Amount>]]} />}
    </article>
  );
}
