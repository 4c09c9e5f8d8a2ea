import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { ApiProblem } from '@/shared/api/apiProblem';
import { queryKeys } from '@/shared/api/queryKeys';
import type { Member } from '@/shared/api/types';
import { useSingleFlight } from '@/shared/api/useSingleFlight';
import { state } from '@/shared/copy/copy.shared';
import { haptic } from '@/shared/platform/haptics';
import { Button } from '@/shared/ui/Button';
import { CheckIcon } from '@/shared/ui/icons';
import { RowsSkeleton } from '@/shared/ui/Skeleton';
import { showSnackbar } from '@/shared/ui/snackbarStore';
import { ErrorState, useIsOnline } from '@/shared/ui/States';
import { TextField } from '@/shared/ui/TextField';
import { useCountdown } from '@/shared/ui/useCountdown';
import { emailCopy } from './copy';
import { memberQuery } from '@/shared/api/memberQuery';
import { sendEmailCode, verifyEmail } from './memberQueries';
import styles from './My.module.css';

const RESEND_AFTER_S = 60;
const CODE_LENGTH = 6;

/** Verifies the member's address with a mailed code. */
export function EmailVerification({ memberSid }: { memberSid: number }) {
  const member = useQuery(memberQuery(memberSid));
  if (member.data?.emailVerified) return <Verified email={member.data.email} />;
  if (member.data) return <Steps member={member.data} />;
  if (member.isError) return <ErrorState error={member.error} onRetry={() => void member.refetch()} />;
  return <RowsSkeleton rows={2} />;
}

function Steps({ member }: { member: Member }) {
  const [isSent, setSent] = useState(false);
  const [code, setCode] = useState('');
  const [error, setError] = useState<string | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const { secondsLeft, start } = useCountdown();
  const queryClient = useQueryClient();
  const isOnline = useIsOnline();
  const helperId = useId();

  const send = useMutation({
    mutationFn: () => sendEmailCode(member.sid),
    onSuccess: () => {
      setCode('');
      setError(null);
      setSent(true);
      start(RESEND_AFTER_S);
      showSnackbar(emailCopy.sent);
    },
    onError: (thrown) => setError(sendRefusal(thrown)),
  });

  const verify = useMutation({
    mutationFn: (typed: string) => verifyEmail(member.sid, typed),
    onSuccess: (changed) => {
      haptic('success');
      queryClient.setQueryData(queryKeys.member(member.sid), changed);
    },
    onError: (thrown) => {
      haptic('error');
      setError(codeRefusal(thrown));
      input.current?.focus();
    },
  });

  const sendOnce = useSingleFlight(send.mutate);
  const verifyOnce = useSingleFlight(verify.mutate);

  useEffect(() => {
    if (isSent) input.current?.focus();
  }, [isSent]);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (send.isPending || verify.isPending || !isOnline) return;
    if (!isSent) sendOnce();
    else if (code.length === CODE_LENGTH) verifyOnce(code);
    else setError(emailCopy.title);
  };

  const type = (text: string) => {
    const digits = text.replace(/\D/g, '').slice(0, CODE_LENGTH);
    setCode(digits);
    setError(null);
  };

  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <h2 className={styles.formTitle}>{isSent ? emailCopy.title : emailCopy.askTitle}</h2>
      {isSent ? (
        <>
          <p className={styles.note}>{emailCopy.sentTo(member.email)}</p>
          <div className={styles.code}>
            <TextField
              ref={input}
              label={emailCopy.code}
              name="code"
              inputMode="numeric"
              autoComplete="one-time-code"
              enterKeyHint="done"
              value={code}
              error={error}
              onChange={type}
            />
          </div>
        </>
      ) : (
        <>
          <p className={styles.address}>{member.email}</p>
          <p className={styles.note}>{emailCopy.askBody}</p>
          <p className={styles.failure} role="alert">
            {error}
          </p>
        </>
      )}
      <Button
        type="submit"
        size="large"
        block
        busy={isSent ? verify.isPending : send.isPending}
        disabled={!isOnline || (isSent && code.length < CODE_LENGTH)}
        describedBy={isOnline ? undefined : helperId}
      >
        {isSent ? emailCopy.verify : emailCopy.send}
      </Button>
      {isSent && (
        <Button
          tone="neutral"
          size="large"
          block
          busy={send.isPending}
          disabled={secondsLeft > 0 || !isOnline}
          onClick={() => sendOnce()}
        >
          {secondsLeft > 0 ? emailCopy.againIn(secondsLeft) : emailCopy.again}
        </Button>
      )}
      {!isOnline && (
        <p id={helperId} className={styles.blocked}>
          {state.offlineBlocked}
        </p>
      )}
    </form>
  );
}

function Verified({ email }: { email: string }) {
  return (
    <div className={styles.done}>
      <span className={styles.check} aria-hidden="true">
        <CheckIcon size={36} />
      </span>
      <h2>{emailCopy.done}</h2>
      <p className={styles.note} role="status">
        {email}
      </p>
      <p className={styles.note}>{emailCopy.doneBody}</p>
    </div>
  );
}

function sendRefusal(error: unknown): string {
  if (!(error instanceof ApiProblem)) return emailCopy.failed;
  if (error.reason === 'TOO_MANY_ATTEMPTS') {
    const { retryAfterS } = error.facts;
    return emailCopy.tooSoon(typeof retryAfterS === 'number' ? Math.ceil(retryAfterS / 60) : 1);
  }
  return error.message === '' ? emailCopy.failed : error.message;
}

function codeRefusal(error: unknown): string {
  if (!(error instanceof ApiProblem)) return emailCopy.failed;
  if (error.reason !== 'CODE_INVALID') return error.message === '' ? emailCopy.failed : error.message;
  const { triesLeft } = error.facts;
  if (typeof triesLeft !== 'number') return emailCopy.codeWrong;
  return triesLeft > 0 ? emailCopy.triesLeft(triesLeft) : emailCopy.noTries;
}
