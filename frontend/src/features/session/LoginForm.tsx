import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { ApiProblem } from '@/shared/api/apiProblem';
import { useSingleFlight } from '@/shared/api/useSingleFlight';
import { action } from '@/shared/copy/copy.shared';
import { isEmail } from '@/shared/format/isEmail';
import { haptic } from '@/shared/platform/haptics';
import { OnlineButton } from '@/shared/ui/OnlineButton';
import { PasswordField } from '@/shared/ui/PasswordField';
import { useIsOnline } from '@/shared/ui/States';
import { loginCopy, newPasswordCopy } from './copy';
import { EmailField } from './EmailField';
import styles from './session.module.css';
import { signIn } from './sessionApi';

interface LoginErrors {
  email?: string | undefined;
  password?: string | undefined;
}

/** The state of the login's history entry after a password was set by a mailed link. */
export const PASSWORD_IS_NEW = { isPasswordNew: true } as const;

export function isPasswordNew(state: unknown): boolean {
  return typeof state === 'object' && state !== null && 'isPasswordNew' in state;
}

/** The login form. A rejection is shown below the password, because it never says which field was wrong. */
export function LoginForm({ isPasswordNew = false }: { isPasswordNew?: boolean }) {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [errors, setErrors] = useState<LoginErrors>({});
  const emailInput = useRef<HTMLInputElement>(null);
  const passwordInput = useRef<HTMLInputElement>(null);
  const isOnline = useIsOnline();

  const login = useMutation({
    mutationFn: () => signIn(email, password),
    onError: (error) => {
      haptic('error');
      setErrors({ password: rejectionOf(error) });
      passwordInput.current?.focus();
    },
  });
  const loginOnce = useSingleFlight(login.mutate);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (login.isPending || !isOnline) return;
    const found = check(email, password);
    setErrors(found);
    if (found.email) emailInput.current?.focus();
    else if (found.password) passwordInput.current?.focus();
    else loginOnce();
  };

  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      {isPasswordNew ? <PasswordIsNew /> : <h2 className={styles.title}>{loginCopy.title}</h2>}
      <EmailField
        ref={emailInput}
        enterKeyHint="next"
        value={email}
        error={errors.email}
        onChange={(value) => {
          setEmail(value);
          setErrors({ ...errors, email: undefined });
        }}
      />
      <PasswordField
        ref={passwordInput}
        label={loginCopy.password}
        name="password"
        autoComplete="current-password"
        enterKeyHint="go"
        value={password}
        error={errors.password}
        onChange={(value) => {
          setPassword(value);
          setErrors({ ...errors, password: undefined });
        }}
      />
      <OnlineButton type="submit" busy={login.isPending}>
        {action.login}
      </OnlineButton>
    </form>
  );
}

/** The outcome of a mailed link, in place of the title. */
function PasswordIsNew() {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  return (
    <div>
      <h2 ref={title} tabIndex={-1} className={styles.title}>
        {newPasswordCopy.done}
      </h2>
      <p className={styles.note} role="status">
        {newPasswordCopy.doneBody}
      </p>
    </div>
  );
}

function check(email: string, password: string): LoginErrors {
  const typed = email.trim();
  const emailError = typed === '' ? loginCopy.emailMissing : loginCopy.emailWrong;
  return {
    email: isEmail(typed) ? undefined : emailError,
    password: password === '' ? loginCopy.passwordMissing : undefined,
  };
}

function rejectionOf(error: unknown): string {
  if (!(error instanceof ApiProblem)) return loginCopy.unreachable;
  if (error.reason === 'LOGIN_FAILED') return loginCopy.rejected;
  return error.message === '' ? loginCopy.unreachable : error.message;
}
