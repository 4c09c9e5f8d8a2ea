import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Contract, ContractClosed } from '@/shared/api/types';
import { interestTypeName } from '@/shared/format/codes';
import { pct } from '@/shared/format/pct';
import { won } from '@/shared/format/won';
import { MoneyDone } from '@/shared/money/MoneyDone';
import { moneyPaths } from '@/shared/moneyPaths';
import { Amount } from '@/shared/ui/Amount';
import { Avatar } from '@/shared/ui/Avatar';
import { BottomCTA } from '@/shared/ui/BottomCTA';
import { Button } from '@/shared/ui/Button';
import { Chip } from '@/shared/ui/Chip';
import { type Fact, Facts } from '@/shared/ui/Facts';
import { MissingState } from '@/shared/ui/MissingState';
import { RollingNumber } from '@/shared/ui/RollingNumber';
import { Bone } from '@/shared/ui/Skeleton';
import { ErrorState } from '@/shared/ui/States';
import { TopBar } from '@/shared/ui/TopBar';
import { CloseContract } from './CloseContract';
import { contractsQuery } from './contractApi';
import { dottedDay } from './contractDays';
import styles from './Contracts.module.css';
import { isKeptContract, isOpenContract, isPaymentOverdue } from './contractStatus';
import { cancelCopy, contractCopy, paymentCopy } from './copy';
import { PayIn } from './PayIn';
import { TermProgress, timeLeft } from './TermProgress';
import { Timeline } from './Timeline';

interface ContractPageProps {
  memberSid: number;
  acno: string;
  /** Cash of the basic account; null while unknown. */
  availableWon: number | null;
  /** Opens with the question to close it. */
  isClosing: boolean;
  /** What a contract teaches that was closed early. */
  lesson: (acno: string) => ReactNode;
  onLeave: () => void;
}

/** One contract: its terms, its growth, and what can be done with it. */
export function ContractPage({ memberSid, acno, availableWon, isClosing, lesson, onLeave }: ContractPageProps) {
  const contracts = useQuery(contractsQuery(memberSid));
  const [closed, setClosed] = useState<ContractClosed | null>(null);
  const contract = contracts.data?.find((known) => known.acno === acno);
  if (closed !== null) {
    return (
      <ContractEnded closed={closed} name={contract?.name ?? contractCopy.one} onClose={onLeave}>
        {closed.contract.status === 'EARLY_CLOSED' && lesson(acno)}
      </ContractEnded>
    );
  }
  if (!contract) {
    const isLoading = contracts.isPending && contracts.fetchStatus !== 'paused';
    return (
      <>
        <TopBar title={contractCopy.one} backTo={moneyPaths.contracts} />
        <main id="main">
          {isLoading && <PageSkeleton />}
          {!isLoading && !contracts.data && <ErrorState error={contracts.error} onRetry={() => void contracts.refetch()} />}
          {contracts.data && <Unknown />}
        </main>
      </>
    );
  }
  return (
    <OneContract memberSid={memberSid} contract={contract} availableWon={availableWon} isClosing={isClosing} onClosed={setClosed} />
  );
}

interface OneContractProps {
  memberSid: number;
  contract: Contract;
  availableWon: number | null;
  isClosing: boolean;
  onClosed: (closed: ContractClosed) => void;
}

function OneContract({ memberSid, contract, availableWon, isClosing, onClosed }: OneContractProps) {
  const [isAsking, setAsking] = useState(isClosing && isOpenContract(contract));
  const [isPaying, setPaying] = useState(false);
  const isOpen = isOpenContract(contract);
  const canPay = isOpen && contract.payable > 0;
  return (
    <>
      <TopBar title={contractCopy.one} backTo={moneyPaths.contracts} />
      <main id="main">
        <Hero contract={contract} />
        <Notices contract={contract} />
        <Timeline memberSid={memberSid} contract={contract} />
        <section className={styles.section}>
          <h2 className={styles.heading}>{contractCopy.facts}</h2>
          <Facts facts={factsOf(contract)} />
        </section>
        {isOpen && (
          <BottomCTA>
            <Button tone="neutral" size="large" onClick={() => setAsking(true)}>
              {cancelCopy.open}
            </Button>
            {canPay && (
              <Button size="large" onClick={() => setPaying(true)}>
                {paymentCopy.open}
              </Button>
            )}
          </BottomCTA>
        )}
      </main>
      {/* Stays while it is asked, so that its outcome is seen although the contract is closed by then. */}
      {(isOpen || isAsking) && <CloseContract memberSid={memberSid} contract={contract} open={isAsking} onClose={() => setAsking(false)} onDone={onClosed} />}
      {canPay && <PayIn memberSid={memberSid} contract={contract} availableWon={availableWon} open={isPaying} onClose={() => setPaying(false)} />}
    </>
  );
}

function Hero({ contract }: { contract: Contract }) {
  const { name, bank, paidIn, accrued, status, payoutAtMaturity, monthsElapsed, term } = contract;
  const words = wordsOf(contract);
  const elapsed = Math.min(monthsElapsed, term);
  return (
    <section className={styles.hero} aria-label={name}>
      <div className={styles.bank}>
        <Avatar name={bank} size={32} />
        <span>{bank}</span>
        {status !== 'ACTIVE' && <Chip>{contractCopy.status[status]}</Chip>}
      </div>
      <p className={styles.title}>{name}</p>
      <p className={styles.label}>{contractCopy.paidIn}</p>
      <p className={styles.total}>
        <Amount>{won(paidIn)}</Amount>
      </p>
      {status === 'ACTIVE' && (
        <>
          <TermProgress contract={contract} />
          <p className={styles.due}>{[contractCopy.progress(elapsed, term), timeLeft(contract)].filter(Boolean).join(' · ')}</p>
        </>
      )}
      <div className={styles.figures}>
        <Facts
          facts={[
            [words.interest, <Amount>{won(accrued)}</Amount>],
            [words.payout, <Amount>{won(payoutAtMaturity)}</Amount>],
          ]}
        />
      </div>
    </section>
  );
}

function wordsOf(contract: Contract): { interest: string; payout: string } {
  if (isKeptContract(contract)) return { interest: contractCopy.keptSoFar, payout: contractCopy.keptPayout };
  if (!isOpenContract(contract)) return { interest: contractCopy.earned, payout: contractCopy.paid };
  return { interest: contractCopy.accrued, payout: contract.rsrvType === 'F' ? contractCopy.freeAtMaturity : contractCopy.atMaturity };
}

/** What the member should know before anything else. */
function Notices({ contract }: { contract: Contract }) {
  const { amount, paymentsMissed, notice } = contract;
  return (
    <>
      {isKeptContract(contract) && <Notice title={contractCopy.kept} body={contractCopy.keptNote} />}
      {notice && <Notice title={contractCopy.notRenewed} />}
      {isPaymentOverdue(contract) && <Notice title={contractCopy.overdue(won(amount))} body={contractCopy.overdueNote} isWarning />}
      {paymentsMissed > 0 && <Notice title={contractCopy.missed(paymentsMissed)} body={contractCopy.missedNote} isWarning />}
    </>
  );
}

function Notice({ title, body, isWarning = false }: { title: string; body?: string; isWarning?: boolean }) {
  return (
    <div className={styles.notice}>
      <p className={isWarning ? styles.warning : styles.noticeTitle}>{title}</p>
      {body !== undefined && <p className={styles.noticeBody}>{body}</p>}
    </div>
  );
}

function factsOf(contract: Contract): Fact[] {
  const { bank, kind, rate, interestType, rsrvType, openedOn, maturesOn, closedOn, amount, paymentsMade, paymentsDue, nextPaymentOn, maturityAction, acno } = contract;
  const facts: [label: string, value: ReactNode][] = [
    [contractCopy.bank, bank],
    [contractCopy.rate, contractCopy.yearly(pct(rate))],
    [contractCopy.interestType, interestTypeName(interestType)],
  ];
  if (rsrvType) facts.push([contractCopy.reserve, contractCopy.reserves[rsrvType]]);
  facts.push([contractCopy.opened, dottedDay(openedOn)], [contractCopy.matures, dottedDay(maturesOn)]);
  if (closedOn) facts.push([contractCopy.closedOn, dottedDay(closedOn)]);
  if (rsrvType === 'S') facts.push([contractCopy.monthly, won(amount)]);
  if (kind === 'SAVE') {
    facts.push([contractCopy.payments, rsrvType === 'F' ? contractCopy.times(paymentsMade) : contractCopy.paymentCount(paymentsMade, paymentsDue)]);
  }
  if (nextPaymentOn) facts.push([contractCopy.nextPayment, dottedDay(nextPaymentOn)]);
  if (contract.status === 'ACTIVE') facts.push([contractCopy.action, contractCopy.actions[maturityAction]]);
  facts.push([contractCopy.number, acno]);
  return facts;
}

function ContractEnded({ closed, name, children, onClose }: { closed: ContractClosed; name: string; children: ReactNode; onClose: () => void }) {
  return (
    <MoneyDone
      title={cancelCopy.done(name)}
      figure={<RollingNumber>{won(closed.closed.payout)}</RollingNumber>}
      facts={[
        [cancelCopy.principal, <Amount>{won(closed.closed.principal)}</Amount>],
        [cancelCopy.interest, <Amount>{won(closed.closed.interest)}</Amount>],
        [cancelCopy.tax, <Amount>{won(-closed.closed.tax)}</Amount>],
        [cancelCopy.deposit, <Amount>{won(closed.deposit)}</Amount>],
      ]}
      onClose={onClose}
    >
      {children}
    </MoneyDone>
  );
}

function Unknown() {
  return <MissingState title={contractCopy.unknown} to={moneyPaths.contracts} label={contractCopy.screen} />;
}

function PageSkeleton() {
  return (
    <div aria-busy="true">
      <div aria-hidden="true" className={styles.skeleton}>
        <Bone width={140} height={32} radius={16} />
        <Bone width={220} height={28} />
        <Bone width={180} height={38} />
        <Bone width="100%" height={8} />
        <Bone width="100%" height={160} radius={12} />
      </div>
    </div>
  );
}
