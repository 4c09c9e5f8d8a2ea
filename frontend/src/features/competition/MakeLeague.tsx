import { type FormEvent, useId, useState } from 'react';
import { state } from '@/shared/copy/copy.shared';
import { MoneyFailure } from '@/shared/money/MoneyFailure';
import { Button } from '@/shared/ui/Button';
import { Checkbox } from '@/shared/ui/Checkbox';
import { ChoiceChips } from '@/shared/ui/ChoiceChips';
import { Sheet } from '@/shared/ui/Sheet';
import { showSnackbar } from '@/shared/ui/snackbarStore';
import { useIsOnline } from '@/shared/ui/States';
import { TextField } from '@/shared/ui/TextField';
import styles from './Competition.module.css';
import { postLeague } from './competitionApi';
import { leagueCopy } from './copy';
import type { LeagueBody, NewLeague } from './types';
import { useCompetitionAttempt } from './useCompetitionAttempt';

const DAYS = ['3', '7', '14', '30'] as const;
const CASH = ['1000000', '10000000', '100000000'] as const;
const MOST = ['10', '20', '50'] as const;
const SHORTEST = 2;
const LONGEST = 20;

interface MakeLeagueProps {
  memberSid: number;
  onMade: (eventSid: number) => void;
}

/** The button and the form of a league of one's own. */
export function MakeLeague({ memberSid, onMade }: MakeLeagueProps) {
  const [isOpen, setOpen] = useState(false);
  const attempt = useCompetitionAttempt<Omit<LeagueBody, 'reqSid'>, NewLeague>({
    memberSid,
    purpose: 'league',
    send: postLeague,
    onDone: ({ sid, message }) => {
      setOpen(false);
      showSnackbar(message);
      onMade(sid);
    },
  });
  return (
    <>
      <div className={styles.make}>
        <Button tone="tint" size="large" block onClick={() => setOpen(true)}>
          {leagueCopy.make}
        </Button>
      </div>
      <LeagueSheet
        open={isOpen && !attempt.isInterrupted}
        isSending={attempt.isSending}
        onSubmit={(league) => attempt.submit({ memberSid, ...league })}
        onClose={() => setOpen(false)}
      />
      <MoneyFailure attempt={attempt} title={leagueCopy.failed} />
    </>
  );
}

interface LeagueSheetProps {
  open: boolean;
  isSending: boolean;
  onSubmit: (league: Pick<LeagueBody, 'title' | 'days' | 'startCash' | 'mostEntrants' | 'showsHoldings'>) => void;
  onClose: () => void;
}

function LeagueSheet({ open, isSending, onSubmit, onClose }: LeagueSheetProps) {
  const isOnline = useIsOnline();
  const formId = useId();
  const [title, setTitle] = useState('');
  const [isChecked, setChecked] = useState(false);
  const [days, setDays] = useState<(typeof DAYS)[number]>('7');
  const [cash, setCash] = useState<(typeof CASH)[number]>('10000000');
  const [most, setMost] = useState<(typeof MOST)[number]>('10');
  const [showsHoldings, setShowsHoldings] = useState(false);
  const length = [...title.trim()].length;
  const isValid = length >= SHORTEST && length <= LONGEST;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (!isValid || !isOnline || isSending) return;
    onSubmit({ title: title.trim(), days: Number(days), startCash: Number(cash), mostEntrants: Number(most), showsHoldings });
  };

  return (
    <Sheet open={open} title={leagueCopy.make} onClose={onClose}>
      <form id={formId} className={styles.form} onSubmit={submit} noValidate>
        <TextField
          label={leagueCopy.title}
          value={title}
          onChange={setTitle}
          required
          autoComplete="off"
          enterKeyHint="done"
          helper={leagueCopy.titleHelper}
          error={isChecked && !isValid ? leagueCopy.titleError : null}
        />
        <Choice label={leagueCopy.days} values={DAYS} names={leagueCopy.dayNames} value={days} onChange={setDays} />
        <Choice label={leagueCopy.cash} values={CASH} names={leagueCopy.cashNames} value={cash} onChange={setCash} />
        <Choice label={leagueCopy.most} values={MOST} names={leagueCopy.mostNames} value={most} onChange={setMost} />
        <Checkbox checked={showsHoldings} onChange={setShowsHoldings}>
          {leagueCopy.showsHoldings}
        </Checkbox>
        {showsHoldings && <p className={styles.note}>{leagueCopy.showsHoldingsNote}</p>}
        <p className={styles.note}>{leagueCopy.starts}</p>
        <p id={`${formId}-offline`} role="alert" className={styles.alert}>
          {!isOnline && state.offlineBlocked}
        </p>
        <Button type="submit" size="large" block busy={isSending} disabled={!isOnline} describedBy={`${formId}-offline`}>
          {leagueCopy.make}
        </Button>
      </form>
    </Sheet>
  );
}

interface ChoiceProps<Value extends string> {
  label: string;
  values: readonly Value[];
  names: Readonly<Record<Value, string>>;
  value: Value;
  onChange: (value: Value) => void;
}

function Choice<Value extends string>(props: ChoiceProps<Value>) {
  return (
    <div className={styles.choice}>
      <p aria-hidden="true" className={styles.label}>
        {props.label}
      </p>
      <ChoiceChips {...props} />
    </div>
  );
}
