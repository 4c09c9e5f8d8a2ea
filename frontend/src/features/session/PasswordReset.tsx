import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { ApiProblem } from '@/shared/api/apiProblem';
import { useSingleFlight } from '@/shared/api/useSingleFlight';
import { state } from '@/shared/copy/copy.shared';
import { isEmail } from '@/shared/format/isEmail';
import { haptic } from '@/shared/platform/haptics';
import { paths } from '@/shared/paths';
import { Button, ButtonLink } from '@/shared/ui/Button';
import { CheckIcon } from '@/shared/ui/icons';
import { useIsOnline } from '@/shared/ui/States';
import { TextField } from '@/shared/ui/TextField';
import { useCountdown } from '@/shared/ui/useCountdown';
import { loginCopy, resetCopy } from './copy';
import styles from './session.module.css';
import { askPasswordReset } from './sessionApi';

const RESEND_AFTER_S = 60;

/** Asks for an address and has a mail sent. The message does not reveal whether the address is registered. */
export function PasswordReset() {
  const [email, setEmail] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [isSent, setSent] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const { secondsLeft, start } = useCountdown();
  const isOnline = useIsOnline();
  const helperId = useId();

  const ask = useMutation({
    mutationFn: () => askPasswordReset(email),
    onSuccess: () => {
      setError(null);
      setSent(true);
      start(RESEND_AFTER_S);
    },
    onError: (thrown) => {
      haptic('error');
      setError(sentenceOf(thrown));
      input.current?.focus();
    },
  });

  const askOnce = useSingleFlight(ask.mutate);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (ask.isPending || !isOnline) return;
    const typed = email.trim();
    if (!isEmail(typed)) {
      setError(typed === '' ? loginCopy.emailMissing : loginCopy.emailWrong);
      input.current?.focus();
      return;
    }
    askOnce();
  };

  if (isSent) {
    return (
      <SentPanel
        secondsLeft={secondsLeft}
        isBusy={ask.isPending}
        isOnline={isOnline}
        error={error}
        onAgain={() => askOnce()}
      />
    );
  }
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <h2 className={styles.title}>{resetCopy.title}</h2>
      <TextField
        ref={input}
        label={loginCopy.email}
        name="username"
        type="email"
        inputMode="email"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        enterKeyHint="send"
        value={email}
        error={error}
        helper={resetCopy.helper}
        onChange={(value) => {
          setEmail(value);
          setError(null);
        }}
      />
      <Button
        type="submit"
        size="large"
        block
        busy={ask.isPending}
        disabled={!isOnline}
        describedBy={isOnline ? undefined : helperId}
      >
        {resetCopy.send}
      </Button>
      {!isOnline && (
        <p id={helperId} className={styles.blocked}>
          {state.offlineBlocked}
        </p>
      )}
    </form>
  );
}

interface SentPanelProps {
  secondsLeft: number;
  isBusy: boolean;
  isOnline: boolean;
  error: string | null;
  onAgain: () => void;
}

function SentPanel({ secondsLeft, isBusy, isOnline, error, onAgain }: SentPanelProps) {
  const title = useRef<HTMLHeadingElement>(null);
  const helperId = useId();
  useEffect(() => title.current?.focus(), []);
  return (
    <div className={styles.panel}>
      <span className={styles.check} aria-hidden="true">
        <CheckIcon size={36} />
      </span>
      <h2 ref={title} tabIndex={-1}>
        {resetCopy.sent}
      </h2>
      <p className={styles.note} role="status">
        {resetCopy.sentBody}
      </p>
      <p className={styles.hint}>{resetCopy.sentHint}</p>
      <div className={styles.panelActions}>
        <ButtonLink to={paths.login} size="large" block replace>
          {resetCopy.toLogin}
        </ButtonLink>
        <Button
          tone="neutral"
          size="large"
          block
          busy={isBusy}
          disabled={secondsLeft > 0 || !isOnline}
          describedBy={isOnline ? undefined : helperId}
          onClick={onAgain}
        >
          {secondsLeft > 0 ? resetCopy.againIn(secondsLeft) : resetCopy.again}
        </Button>
        {!isOnline && (
          <p id={helperId} className={styles.blocked}>
            {state.offlineBlocked}
          </p>
        )}
        <p className={styles.alert} role="alert">
          {error}
        </p>
      </div>
    </div>
  );
}

function sentenceOf(error: unknown): string {
  if (!(error instanceof ApiProblem)) return loginCopy.unreachable;
  if (error.reason === 'TOO_MANY_ATTEMPTS') return resetCopy.tooSoon;
  if (error.reason === 'INVALID_EMAIL') return loginCopy.emailWrong;
  return error.message === '' ? loginCopy.unreachable : error.message;
}
