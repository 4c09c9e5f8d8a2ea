import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { isProblem } from '@/shared/api/apiProblem';
import type { CancelInfo, Contract, ContractClosed, ContractCloseBody } from '@/shared/api/types';
import { pct } from '@/shared/format/pct';
import { won } from '@/shared/format/won';
import { ConfirmMoney } from '@/shared/money/ConfirmMoney';
import { MoneyFailure } from '@/shared/money/MoneyFailure';
import type { MoneyOutcome } from '@/shared/money/sendMoney';
import { useMoneyAttempt } from '@/shared/money/useMoneyAttempt';
import { Amount } from '@/shared/ui/Amount';
import type { Fact } from '@/shared/ui/Facts';
import { Bone } from '@/shared/ui/Skeleton';
import { ErrorState } from '@/shared/ui/States';
import { cancelInfoQuery, closeContract } from './contractApi';
import styles from './Contracts.module.css';
import { cancelCopy } from './copy';

interface CloseContractProps {
  memberSid: number;
  contract: Contract;
  open: boolean;
  onClose: () => void;
  onDone: (closed: ContractClosed) => void;
}

/** The question before a contract is closed: what it pays now, and what it would pay at maturity. */
export function CloseContract({ memberSid, contract, open, onClose, onDone }: CloseContractProps) {
  const { acno, name } = contract;
  const info = useQuery({ ...cancelInfoQuery(memberSid, acno), enabled: open });
  // How often the payout has changed while it was being confirmed.
  const [changes, setChanges] = useState(0);
  const attempt = useMoneyAttempt<Omit<ContractCloseBody, 'reqSid'>, ContractClosed>({
    memberSid,
    purpose: `close ${acno}`,
    send: closeContract,
    doneText: () => cancelCopy.done(name),
    onOutcome: (result) => {
      if (result.kind === 'done') onDone(result.reply);
      if (!hasPayoutChanged(result)) return;
      // The new figures are shown and asked about again; the refused request is over.
      setChanges((count) => count + 1);
      void info.refetch();
    },
  });
  const failure = attempt.failure !== null && hasPayoutChanged(attempt.failure) ? null : attempt.failure;

  const shown = info.data;
  return (
    <>
      <ConfirmMoney
        key={changes}
        open={open && failure === null && !attempt.isRetrying}
        title={shown ? cancelCopy.question(won(shown.payout)) : cancelCopy.loading}
        facts={shown ? factsOf(shown) : []}
        {...(shown && { sum: [cancelCopy.payout, <Amount>{won(shown.payout)}</Amount>] as const })}
        word={cancelCopy.confirm}
        tone="danger"
        isSending={attempt.isSending}
        isBlocked={!shown || info.isFetching}
        onConfirm={() => shown && attempt.submit({ memberSid, acno, payout: shown.payout })}
        onClose={onClose}
      >
        {!shown && info.isError && <ErrorState error={info.error} onRetry={() => void info.refetch()} />}
        {!shown && !info.isError && <Bone width="100%" height={96} radius={12} />}
        {changes > 0 && (
          <p role="alert" className={styles.changed}>
            {cancelCopy.changed}
          </p>
        )}
        {shown && shown.loss > 0 && <p className={styles.more}>{cancelCopy.more(won(shown.loss))}</p>}
      </ConfirmMoney>
      <MoneyFailure attempt={{ ...attempt, failure }} title={cancelCopy.failed} onDismissed={onClose} />
    </>
  );
}

function hasPayoutChanged(outcome: MoneyOutcome<unknown>): boolean {
  return outcome.kind === 'refused' && isProblem(outcome.problem, 'PAYOUT_CHANGED');
}

function factsOf({ principal, appliedRate, matured, monthsElapsed, term, interest, tax }: CancelInfo): Fact[] {
  return [
    [cancelCopy.principal, <Amount>{won(principal)}</Amount>],
    [cancelCopy.rate, matured ? cancelCopy.yearly(pct(appliedRate)) : cancelCopy.monthsOf(pct(appliedRate), monthsElapsed, term)],
    [cancelCopy.interest, <Amount>{won(interest)}</Amount>],
    [cancelCopy.tax, <Amount>{won(-tax)}</Amount>],
  ];
}
