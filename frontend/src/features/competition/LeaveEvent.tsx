import { useState } from 'react';
import { ConfirmMoney } from '@/shared/money/ConfirmMoney';
import { MoneyFailure } from '@/shared/money/MoneyFailure';
import { Button } from '@/shared/ui/Button';
import { Dialog } from '@/shared/ui/Dialog';
import { showSnackbar } from '@/shared/ui/snackbarStore';
import styles from './Competition.module.css';
import { deleteJoin } from './competitionApi';
import { entryCopy } from './copy';
import type { LeaveBody, Left } from './types';
import { useCompetitionAttempt } from './useCompetitionAttempt';

interface LeaveEventProps {
  memberSid: number;
  sid: number;
  isOffered: boolean;
}

/** The way out, and the two questions before it. It stays mounted, so that its outcome is shown whatever the event has become. */
export function LeaveEvent({ memberSid, sid, isOffered }: LeaveEventProps) {
  const [step, setStep] = useState<'question' | 'last' | null>(null);
  const attempt = useCompetitionAttempt<Omit<LeaveBody, 'reqSid'>, Left>({
    memberSid,
    purpose: `competition-leave-${sid}`,
    send: (body) => deleteJoin(sid, body),
    onDone: ({ message }) => {
      setStep(null);
      showSnackbar(message);
    },
  });
  return (
    <>
      {isOffered && (
        <div className={styles.leave}>
          <Button tone="text" onClick={() => setStep('question')}>
            {entryCopy.leave}
          </Button>
        </div>
      )}
      <Dialog
        open={step === 'question' && !attempt.isInterrupted}
        title={entryCopy.leaveQuestion}
        body={entryCopy.leaveWarning}
        onClose={() => setStep(null)}
        confirm={{ label: entryCopy.leaveWord, tone: 'danger', onClick: () => setStep('last') }}
      />
      <ConfirmMoney
        open={step === 'last' && !attempt.isInterrupted}
        title={entryCopy.leaveLast}
        note={entryCopy.leaveEnding}
        word={entryCopy.leaveWord}
        tone="danger"
        isSending={attempt.isSending}
        onConfirm={() => attempt.submit({ memberSid })}
        onClose={() => setStep(null)}
      />
      <MoneyFailure attempt={attempt} title={entryCopy.leaveFailed} onDismissed={() => setStep(null)} />
    </>
  );
}
