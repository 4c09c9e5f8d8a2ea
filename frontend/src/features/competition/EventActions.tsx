import { useState } from 'react';
import { bigWon } from '@/shared/format/bigWon';
import { kstDateTime, parseServerTime } from '@/shared/format/kst';
import { ConfirmMoney } from '@/shared/money/ConfirmMoney';
import { MoneyFailure } from '@/shared/money/MoneyFailure';
import { BottomCTA } from '@/shared/ui/BottomCTA';
import { Button } from '@/shared/ui/Button';
import { showSnackbar } from '@/shared/ui/snackbarStore';
import styles from './Competition.module.css';
import { postJoin } from './competitionApi';
import { competitionCopy, entryCopy } from './copy';
import type { Competition, JoinBody, Joined } from './types';
import { useCompetitionAttempt } from './useCompetitionAttempt';

interface EventActionsProps {
  memberSid: number;
  event: Competition;
  inviteCode: string | null;
  now: Date;
  currentEventSid: number | null;
  onCompete: (eventSid: number) => void;
  isSwitching: boolean;
}

/** What the member can do with the event: join it, or trade in it. */
export function EventActions({ memberSid, event, inviteCode, now, currentEventSid, onCompete, isSwitching }: EventActionsProps) {
  const [isAsked, setAsked] = useState(false);
  const { sid, status, title, startCash, canJoin } = event;
  const attempt = useCompetitionAttempt<Omit<JoinBody, 'reqSid'>, Joined>({
    memberSid,
    purpose: `competition-join-${sid}`,
    send: (body) => postJoin(sid, body),
    onDone: ({ message }) => {
      setAsked(false);
      showSnackbar(message);
      if (status === 'ONGOING') onCompete(sid);
    },
  });
  const isIn = event.entry?.hasLeft === false;
  const note = noteOf(event, sid === currentEventSid, now);
  return (
    <>
      {note !== null && (
        <p className={styles.aside} role="status">
          {note}
        </p>
      )}
      {!event.entry && canJoin && (
        <BottomCTA>
          <Button size="large" onClick={() => setAsked(true)}>
            {entryCopy.join}
          </Button>
        </BottomCTA>
      )}
      {isIn && status === 'ONGOING' && sid !== currentEventSid && (
        <BottomCTA>
          <Button size="large" busy={isSwitching} onClick={() => onCompete(sid)}>
            {entryCopy.compete}
          </Button>
        </BottomCTA>
      )}
      <ConfirmMoney
        open={isAsked && !attempt.isInterrupted}
        title={entryCopy.joinQuestion(title)}
        note={(status === 'ONGOING' ? entryCopy.joinNoteNow : entryCopy.joinNote)(bigWon(startCash))}
        word={entryCopy.joinWord}
        isSending={attempt.isSending}
        onConfirm={() => attempt.submit({ memberSid, ...(inviteCode === null ? {} : { inviteCode }) })}
        onClose={() => setAsked(false)}
      />
      <MoneyFailure attempt={attempt} title={entryCopy.joinFailed} onDismissed={() => setAsked(false)} />
    </>
  );
}

/** What is said in place of a button. */
function noteOf({ status, entry, canJoin, joinFrom, entrants, mostEntrants }: Competition, isCurrent: boolean, now: Date): string | null {
  if (status === 'ENDED' || entry?.hasLeft) return null;
  if (entry) {
    if (status === 'SCHEDULED') return entryCopy.joined;
    return isCurrent ? competitionCopy.current : null;
  }
  if (canJoin) return null;
  const from = parseServerTime(joinFrom);
  if (from !== null && from > now) return entryCopy.joinFrom(kstDateTime(from));
  return typeof mostEntrants === 'number' && entrants >= mostEntrants ? entryCopy.full : entryCopy.joinClosed;
}
