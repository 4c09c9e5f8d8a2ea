import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { ApiProblem } from '@/shared/api/apiProblem';
import { useSingleFlight } from '@/shared/api/useSingleFlight';
import { haptic } from '@/shared/platform/haptics';
import { OnlineButton } from '@/shared/ui/OnlineButton';
import { PasswordField } from '@/shared/ui/PasswordField';
import { showSnackbar } from '@/shared/ui/snackbarStore';
import { useIsOnline } from '@/shared/ui/States';
import { loginCopy, newPasswordCopy } from './copy';
import { checkNewPassword, type NewPasswordErrors, PasswordPair } from './PasswordPair';
import styles from './session.module.css';
import { changePassword } from './sessionApi';

interface ChangePasswordFormProps {
  memberSid: number;
  /** Called after the change. */
  onDone: () => void;
}

type Errors = NewPasswordErrors & { current?: string };

/** Asks for the current password and twice for a new one. This session stays signed in. */
export function ChangePasswordForm({ memberSid, onDone }: ChangePasswordFormProps) {
  const [current, setCurrent] = useState('');
  const [value, setValue] = useState({ password: '', again: '' });
  const [errors, setErrors] = useState<Errors>({});
  const currentInput = useRef<HTMLInputElement>(null);
  const first = useRef<HTMLInputElement>(null);
  const second = useRef<HTMLInputElement>(null);
  const isOnline = useIsOnline();

  const show = (found: Errors) => {
    setErrors(found);
    if (found.current) currentInput.current?.focus();
    else if (found.password) first.current?.focus();
    else if (found.again) second.current?.focus();
  };

  const change = useMutation({
    mutationFn: () => changePassword(memberSid, current, value.password),
    onSuccess: () => {
      haptic('success');
      showSnackbar(newPasswordCopy.done);
      onDone();
    },
    onError: (error) => {
      haptic('error');
      show(placeOf(error));
    },
  });
  const changeOnce = useSingleFlight(change.mutate);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (change.isPending || !isOnline) return;
    const found = check(current, value);
    show(found);
    if (Object.keys(found).length === 0) changeOnce();
  };

  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <PasswordField
        ref={currentInput}
        label={newPasswordCopy.current}
        name="password"
        autoComplete="current-password"
        enterKeyHint="next"
        value={current}
        error={errors.current}
        onChange={(typed) => {
          setCurrent(typed);
          setErrors({});
        }}
      />
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
      <OnlineButton type="submit" busy={change.isPending} note={newPasswordCopy.othersEnd}>
        {newPasswordCopy.submit}
      </OnlineButton>
    </form>
  );
}

function check(current: string, value: { password: string; again: string }): Errors {
  if (current === '') return { current: loginCopy.passwordMissing };
  if (current === value.password) return { password: newPasswordCopy.unchanged };
  return checkNewPassword(value);
}

function placeOf(error: unknown): Errors {
  if (!(error instanceof ApiProblem)) return { again: loginCopy.unreachable };
  const sentence = error.message === '' ? loginCopy.unreachable : error.message;
  switch (error.reason) {
    case 'WRONG_PASSWORD':
      return { current: newPasswordCopy.wrongCurrent };
    case 'WEAK_PASSWORD':
      return { password: sentence };
    default:
      return { again: sentence };
  }
}
