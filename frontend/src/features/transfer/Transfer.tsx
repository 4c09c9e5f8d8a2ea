import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { TransferBody, TransferReply, TransferTerms } from '@/shared/api/types';
import { won } from '@/shared/format/won';
import { bigWon } from '@/shared/format/bigWon';
import { AmountPad } from '@/shared/money/AmountPad';
import { ConfirmMoney } from '@/shared/money/ConfirmMoney';
import { moneyCopy } from '@/shared/money/copy.money';
import { MoneyDone } from '@/shared/money/MoneyDone';
import { MoneyFailure } from '@/shared/money/MoneyFailure';
import { useMoneyAttempt } from '@/shared/money/useMoneyAttempt';
import { AccountPicker, type PickedAccount } from '@/shared/ui/AccountPicker';
import { Amount } from '@/shared/ui/Amount';
import { EMPTY_ENTRY, entryValue } from '@/shared/ui/amountEntry';
import { Bone } from '@/shared/ui/Skeleton';
import { ErrorState } from '@/shared/ui/States';
import { TopBar } from '@/shared/ui/TopBar';
import { AccountPair } from './AccountPair';
import { transferCopy } from './copy';
import styles from './Transfer.module.css';
import { postTransfer, transferTermsQuery } from './transferApi';

interface TransferProps {
  memberSid: number;
  /** The account numbers or codes to start with; null for none chosen. */
  from: string;
  to: string | null;
  backTo: string;
  onClose: () => void;
  onSeeHistory: () => void;
}

const CHIPS_WON = [10_000, 100_000, 1_000_000] as const;

/** Moves cash between two accounts of the member: accounts, amount, confirmation, result. */
export function Transfer({ memberSid, from: firstFrom, to: firstTo, backTo, onClose, onSeeHistory }: TransferProps) {
  const [fromAcno, setFrom] = useState(firstFrom);
  const [toAcno, setTo] = useState(firstTo);
  const [entry, setEntry] = useState(EMPTY_ENTRY);
  const [picking, setPicking] = useState<'from' | 'to' | null>(null);
  // The list keeps its accounts while the sheet closes.
  const [pickedLast, setPickedLast] = useState<'from' | 'to'>('to');
  const [isConfirming, setConfirming] = useState(false);
  const terms = useQuery(transferTermsQuery(memberSid, fromAcno));
  const attempt = useMoneyAttempt<Omit<TransferBody, 'reqSid'>, TransferReply>({
    memberSid,
    purpose: 'transfer',
    send: postTransfer,
    doneText: ({ amount }) => transferCopy.done(won(amount)),
  });

  if (!terms.data) {
    return (
      <>
        <TopBar title={transferCopy.screen} backTo={backTo} />
        <main id="main">
          {terms.isError || terms.fetchStatus === 'paused' ? (
            <ErrorState error={terms.error} onRetry={() => void terms.refetch()} />
          ) : (
            <TransferSkeleton />
          )}
        </main>
      </>
    );
  }

  const accounts = accountsOf(terms.data);
  const isCurrent = !terms.isPlaceholderData;
  const from = accounts.find(({ acno }) => isAccount(acno, fromAcno)) ?? accounts[0];
  const to = accounts.find(({ acno }) => toAcno !== null && isAccount(acno, toAcno) && acno !== from?.acno) ?? null;
  const outcome = attempt.outcome;
  if (outcome?.kind === 'done') {
    return <TransferDone reply={outcome.reply} accounts={accounts} onClose={onClose} onSeeHistory={onSeeHistory} />;
  }
  if (from === undefined) return null;

  const { transferable, held, unsettled } = terms.data.source;
  const amount = entryValue(entry) ?? 0;
  const problem = isCurrent && amount > transferable ? transferCopy.tooMuch : null;
  const pick = (side: 'from' | 'to') => {
    setPickedLast(side);
    setPicking(side);
  };
  const choose = (acno: string) => {
    setPicking(null);
    if (picking === 'to') {
      setTo(acno);
      return;
    }
    setFrom(acno);
    if (acno === to?.acno) setTo(from.acno);
  };
  const { isInterrupted } = attempt;
  if (isInterrupted && isConfirming) setConfirming(false);

  return (
    <>
      <TopBar title={transferCopy.screen} backTo={backTo} />
      <main id="main" className={styles.screen}>
        <AccountPair
          from={from}
          to={to}
          canSwap={to?.isOpen === true && isCurrent}
          onPickFrom={() => pick('from')}
          onPickTo={() => pick('to')}
          onSwap={() => {
            if (to === null) return;
            setFrom(to.acno);
            setTo(from.acno);
          }}
        />
        <AmountPad
          label={transferCopy.amount}
          placeholder={moneyCopy.amountPlaceholder}
          unit={moneyCopy.won}
          entry={entry}
          onChange={setEntry}
          chips={[
            ...CHIPS_WON.map((step) => ({ label: moneyCopy.add(bigWon(step).replace(moneyCopy.won, '')), amount: (now: number) => now + step })),
            { label: moneyCopy.all, amount: () => transferable },
          ]}
          problem={problem}
          helper={isCurrent ? (transferable === 0 ? transferCopy.nothing : transferCopy.most(won(transferable))) : transferCopy.calculating}
          word={transferCopy.next}
          isActive={picking === null && !isConfirming && !isInterrupted}
          onNext={() => (to === null ? pick('to') : setConfirming(true))}
        >
          <div className={styles.notes}>
            {held > 0 && <p>{transferCopy.held(won(held))}</p>}
            {unsettled > 0 && <p>{transferCopy.unsettled(won(unsettled))}</p>}
          </div>
        </AmountPad>
      </main>
      <AccountPicker
        open={picking !== null}
        title={pickedLast === 'from' ? transferCopy.pickFrom : transferCopy.pickTo}
        accounts={accounts.filter(({ acno, isOpen }) => (pickedLast === 'from' ? isOpen : acno !== from.acno))}
        selected={(pickedLast === 'from' ? from : to)?.acno ?? null}
        amountLabel={transferCopy.cash}
        onPick={choose}
        onClose={() => setPicking(null)}
      />
      <ConfirmMoney
        open={isConfirming && to !== null}
        title={transferCopy.question(from.actNm, to?.actNm ?? '', won(amount))}
        note={to && !to.isOpen ? transferCopy.opens(to.actNm) : null}
        facts={[
          [transferCopy.after(from.actNm), <Amount>{won((from.amount ?? 0) - amount)}</Amount>],
          [transferCopy.after(to?.actNm ?? ''), <Amount>{won((to?.amount ?? 0) + amount)}</Amount>],
        ]}
        word={transferCopy.next}
        isSending={attempt.isSending}
        isBlocked={!isCurrent || problem !== null}
        onConfirm={() => to && attempt.submit({ memberSid, fromAcno: from.acno, toAcno: to.acno, amount })}
        onClose={() => setConfirming(false)}
      />
      <MoneyFailure attempt={attempt} title={transferCopy.failed} />
    </>
  );
}

interface TransferDoneProps {
  reply: TransferReply;
  accounts: readonly PickedAccount[];
  onClose: () => void;
  onSeeHistory: () => void;
}

function TransferDone({ reply, accounts, onClose, onSeeHistory }: TransferDoneProps) {
  const nameOf = (wanted: string) => accounts.find(({ acno }) => isAccount(wanted, acno))?.actNm ?? wanted;
  return (
    <MoneyDone
      title={transferCopy.done(won(reply.amount))}
      facts={[
        [transferCopy.left(nameOf(reply.fromAcno)), <Amount>{won(reply.fromDeposit)}</Amount>],
        [transferCopy.left(nameOf(reply.toAcno)), <Amount>{won(reply.toDeposit)}</Amount>],
      ]}
      more={{ label: transferCopy.seeHistory, onClick: onSeeHistory }}
      onClose={onClose}
    />
  );
}

/** The source first, then where its cash can go. */
/** The code of a CMA, which ends its number. */
const CMA = '05';

function accountsOf({ source, targets }: TransferTerms): PickedAccount[] {
  return [{ ...source, isOpen: true }, ...targets].map(({ acno, actNm, deposit, isOpen }) => ({
    acno,
    actNm,
    amount: deposit,
    isOpen,
    ...(acno.endsWith(CMA) && { note: transferCopy.cma }),
  }));
}

/** An account number ends with its code, and a bare code stands for the account of that kind. */
function isAccount(acno: string, wanted: string): boolean {
  return acno === wanted || (wanted.length === 2 && acno.endsWith(wanted)) || (acno.length === 2 && wanted.endsWith(acno));
}

function TransferSkeleton() {
  return (
    <div aria-busy="true">
      <div aria-hidden="true" className={styles.skeleton}>
        <Bone width="100%" height={120} radius={16} />
        <Bone width="40%" height={20} />
        <Bone width="70%" height={40} />
        <Bone width="100%" height={44} />
      </div>
    </div>
  );
}
