import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { ApiProblem, isProblem } from '@/shared/api/apiProblem';
import { endSession } from '@/shared/api/session';
import { useSingleFlight } from '@/shared/api/useSingleFlight';
import { haptic } from '@/shared/platform/haptics';
import { paths } from '@/shared/paths';
import { ButtonLink } from '@/shared/ui/Button';
import { AlertIcon } from '@/shared/ui/icons';
import { OnlineButton } from '@/shared/ui/OnlineButton';
import { useIsOnline } from '@/shared/ui/States';
import { loginCopy, newPasswordCopy } from './copy';
import { checkNewPassword, type NewPasswordErrors, PasswordPair } from './PasswordPair';
import styles from './session.module.css';
import { resetPassword } from './sessionApi';

/** The target of a mailed link: sets a new password, once. An expired link leads to another mail. */
export function NewPasswordForm({ token, onDone }: { token: string; onDone: () => void }) {
  const [value, setValue] = useState({ password: '', again: '' });
  const [errors, setErrors] = useState<NewPasswordErrors>({});
  const first = useRef<HTMLInputElement>(null);
  const second = useRef<HTMLInputElement>(null);
  const isOnline = useIsOnline();

  const reset = useMutation({
    mutationFn: () => resetPassword(token, value.password),
    onSuccess: () => {
      haptic('success');
      // The reset has ended all sessions, including this one.
      endSession('logout');
      onDone();
    },
    onError: (error) => {
      haptic('error');
      setErrors({ password: sentenceOf(error) });
      first.current?.focus();
    },
  });
  const resetOnce = useSingleFlight(reset.mutate);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (reset.isPending || !isOnline) return;
    const found = checkNewPassword(value);
    setErrors(found);
    if (found.password) first.current?.focus();
    else if (found.again) second.current?.focus();
    else resetOnce();
  };

  if (token === '' || isProblem(reset.error, 'RESET_LINK_INVALID')) return <InvalidLink />;
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <h2 className={styles.title}>{newPasswordCopy.title}</h2>
      <PasswordPair
        value={value}
        errors={errors}
        firstRef={first}
        secondRef={second}
        onChange={(typed) => {
          setValue(typed);
          setErrors({});
        }}
      />
      <OnlineButton type="submit" busy={reset.isPending}>
        {newPasswordCopy.submit}
      </OnlineButton>
    </form>
  );
}

function InvalidLink() {
  const title = useFocusedTitle();
  return (
    <div className={styles.panel}>
      <AlertIcon size={48} />
      <h2 ref={title} tabIndex={-1}>
        {newPasswordCopy.invalidTitle}
      </h2>
      <p className={styles.note} role="alert">
        {newPasswordCopy.invalidBody}
      </p>
      <div className={styles.panelActions}>
        <ButtonLink to={paths.passwordReset} size="large" block replace>
          {newPasswordCopy.mailAgain}
        </ButtonLink>
      </div>
    </div>
  );
}

function useFocusedTitle() {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  return title;
}

function sentenceOf(error: unknown): string {
  return error instanceof ApiProblem && error.message !== '' ? error.message : loginCopy.unreachable;
}
