import { useState } from 'react';
import type { ChangeCashBody, ChangedCash } from '@/shared/api/types';
import { unitless } from '@/shared/format/number';
import { won } from '@/shared/format/won';
import { AmountPad } from '@/shared/money/AmountPad';
import { ConfirmMoney } from '@/shared/money/ConfirmMoney';
import { moneyCopy } from '@/shared/money/copy.money';
import { MoneyFailure } from '@/shared/money/MoneyFailure';
import { useMoneyAttempt } from '@/shared/money/useMoneyAttempt';
import { EMPTY_ENTRY, entryValue } from '@/shared/ui/amountEntry';
import { Sheet } from '@/shared/ui/Sheet';
import { showSnackbar } from '@/shared/ui/snackbarStore';
import { exchangeCopy, itemCopy } from './copy';
import { changeCash } from './itemApi';
import styles from './Items.module.css';

interface ExchangeCashProps {
  memberSid: number;
  /** Null while unknown. */
  cash: number | null;
  open: boolean;
  onClose: () => void;
}

const WON_PER_CASH = 1_000;

/** Turns cash into won of the basic account. */
export function ExchangeCash({ memberSid, cash, open, onClose }: ExchangeCashProps) {
  const [entry, setEntry] = useState(EMPTY_ENTRY);
  const [isAsking, setAsking] = useState(false);
  const attempt = useMoneyAttempt<Omit<ChangeCashBody, 'reqSid'>, ChangedCash>({
    memberSid,
    purpose: 'cash',
    send: changeCash,
    doneText: (reply) => exchangeCopy.done(won(reply.won)),
    onOutcome: (outcome) => {
      if (outcome.kind !== 'done') return;
      showSnackbar(exchangeCopy.done(won(outcome.reply.won)));
      setAsking(false);
      setEntry(EMPTY_ENTRY);
      onClose();
    },
  });
  const { isInterrupted } = attempt;
  const amount = entryValue(entry) ?? 0;
  const had = cash ?? 0;
  const problem = cash !== null && amount > cash ? exchangeCopy.tooMuch : null;
  return (
    <>
      <Sheet open={open} title={exchangeCopy.title} onClose={onClose} full>
        <div className={styles.pad}>
          <AmountPad
            label={exchangeCopy.amount}
            placeholder={exchangeCopy.placeholder}
            unit={itemCopy.cash}
            entry={entry}
            onChange={setEntry}
            chips={[{ label: moneyCopy.all, amount: () => had }]}
            problem={problem}
            helper={exchangeCopy.most(itemCopy.cashCount(unitless(had)))}
            blocked={cash === 0 ? exchangeCopy.none : null}
            word={exchangeCopy.next}
            isActive={open && !isAsking && !isInterrupted}
            onNext={() => setAsking(true)}
          >
            <p className={styles.previewLine}>{amount > 0 && problem === null ? exchangeCopy.preview(won(amount * WON_PER_CASH)) : itemCopy.cashRate}</p>
          </AmountPad>
        </div>
      </Sheet>
      <ConfirmMoney
        open={open && isAsking && !isInterrupted}
        title={exchangeCopy.question(itemCopy.cashCount(unitless(amount)), won(amount * WON_PER_CASH))}
        note={exchangeCopy.irreversible}
        word={exchangeCopy.next}
        isSending={attempt.isSending}
        isBlocked={problem !== null || cash === null}
        onConfirm={() => attempt.submit({ memberSid, cash: amount })}
        onClose={() => setAsking(false)}
      />
      <MoneyFailure attempt={attempt} title={exchangeCopy.failed} onDismissed={() => setAsking(false)} />
    </>
  );
}
