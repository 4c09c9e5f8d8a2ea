import { useState } from 'react';
import type { Contract, ContractReply, ContractPaymentBody } from '@/shared/api/types';
import { bigWon } from '@/shared/format/bigWon';
import { won } from '@/shared/format/won';
import { AmountPad } from '@/shared/money/AmountPad';
import { ConfirmMoney } from '@/shared/money/ConfirmMoney';
import { moneyCopy } from '@/shared/money/copy.money';
import { MoneyFailure } from '@/shared/money/MoneyFailure';
import { useMoneyAttempt } from '@/shared/money/useMoneyAttempt';
import { Amount } from '@/shared/ui/Amount';
import { EMPTY_ENTRY, entryValue } from '@/shared/ui/amountEntry';
import { Sheet } from '@/shared/ui/Sheet';
import { showSnackbar } from '@/shared/ui/snackbarStore';
import { payIntoContract } from './contractApi';
import styles from './Contracts.module.css';
import { paymentCopy } from './copy';

interface PayInProps {
  memberSid: number;
  contract: Contract;
  /** Cash of the basic account; null while unknown. */
  availableWon: number | null;
  open: boolean;
  onClose: () => void;
}

const CHIPS_WON = [10_000, 100_000, 1_000_000] as const;

/** A payment into savings by hand. Regular savings take their monthly amount, free ones any. */
export function PayIn({ memberSid, contract, availableWon, open, onClose }: PayInProps) {
  const [entry, setEntry] = useState(EMPTY_ENTRY);
  const [isAsking, setAsking] = useState(false);
  const isFree = contract.rsrvType === 'F';
  const amount = isFree ? (entryValue(entry) ?? 0) : contract.payable;
  const attempt = useMoneyAttempt<Omit<ContractPaymentBody, 'reqSid'>, ContractReply>({
    memberSid,
    purpose: `pay ${contract.acno}`,
    send: payIntoContract,
    doneText: () => paymentCopy.done(won(amount)),
    onOutcome: (result) => {
      if (result.kind !== 'done') return;
      showSnackbar(paymentCopy.done(won(amount)));
      setAsking(false);
      setEntry(EMPTY_ENTRY);
      onClose();
    },
  });
  const { isInterrupted } = attempt;
  const problem =
    availableWon !== null && amount > availableWon ? paymentCopy.tooMuch : amount > contract.payable ? paymentCopy.overCap(won(contract.payable)) : null;
  return (
    <>
      {isFree && (
        <Sheet open={open} title={paymentCopy.title} onClose={onClose} full>
          <div className={styles.pay}>
            <AmountPad
              label={paymentCopy.amount}
              placeholder={moneyCopy.amountPlaceholder}
              unit={moneyCopy.won}
              entry={entry}
              onChange={setEntry}
              chips={CHIPS_WON.map((step) => ({ label: moneyCopy.add(bigWon(step).replace(moneyCopy.won, '')), amount: (now) => now + step }))}
              problem={problem}
              helper={paymentCopy.most(won(contract.payable))}
              word={paymentCopy.confirm}
              isActive={open && !isAsking && !isInterrupted}
              onNext={() => setAsking(true)}
            />
          </div>
        </Sheet>
      )}
      <ConfirmMoney
        open={open && (isAsking || !isFree) && !isInterrupted}
        title={paymentCopy.question(won(amount))}
        note={problem ?? (availableWon === null ? null : paymentCopy.from(won(availableWon)))}
        facts={[[paymentCopy.after, <Amount>{won(contract.paidIn + amount)}</Amount>]]}
        word={paymentCopy.confirm}
        isSending={attempt.isSending}
        isBlocked={problem !== null}
        onConfirm={() => attempt.submit({ memberSid, acno: contract.acno, amount })}
        onClose={() => (isFree ? setAsking(false) : onClose())}
      />
      <MoneyFailure attempt={attempt} title={paymentCopy.failed} onDismissed={() => setAsking(false)} />
    </>
  );
}
