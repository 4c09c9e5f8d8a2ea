import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { ApiProblem } from '@/shared/api/apiProblem';
import { useSingleFlight } from '@/shared/api/useSingleFlight';
import { isEmail } from '@/shared/format/isEmail';
import { haptic } from '@/shared/platform/haptics';
import { paths } from '@/shared/paths';
import { ButtonLink } from '@/shared/ui/Button';
import { CheckIcon } from '@/shared/ui/icons';
import { OnlineButton } from '@/shared/ui/OnlineButton';
import { useIsOnline } from '@/shared/ui/States';
import { useCountdown } from '@/shared/ui/useCountdown';
import { loginCopy, resetCopy } from './copy';
import { EmailField } from './EmailField';
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
    return <SentPanel secondsLeft={secondsLeft} isBusy={ask.isPending} error={error} onAgain={() => askOnce()} />;
  }
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <h2 className={styles.title}>{resetCopy.title}</h2>
      <EmailField
        ref={input}
        enterKeyHint="send"
        value={email}
        error={error}
        helper={resetCopy.helper}
        onChange={(value) => {
          setEmail(value);
          setError(null);
        }}
      />
      <OnlineButton type="submit" busy={ask.isPending}>
        {resetCopy.send}
      </OnlineButton>
    </form>
  );
}

interface SentPanelProps {
  secondsLeft: number;
  isBusy: boolean;
  error: string | null;
  onAgain: () => void;
}

function SentPanel({ secondsLeft, isBusy, error, onAgain }: SentPanelProps) {
  const title = useRef<HTMLHeadingElement>(null);
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
        <OnlineButton tone="neutral" busy={isBusy} disabled={secondsLeft > 0} onClick={onAgain}>
          {secondsLeft > 0 ? resetCopy.againIn(secondsLeft) : resetCopy.again}
        </OnlineButton>
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
