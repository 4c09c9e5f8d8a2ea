import type { Ref } from 'react';
import { CheckIcon } from '@/shared/ui/icons';
import { PasswordField } from '@/shared/ui/PasswordField';
import { joinCopy, loginCopy, newPasswordCopy } from './copy';
import { isLongEnough, passwordError } from './passwordRules';
import styles from './session.module.css';

interface NewPassword {
  password: string;
  again: string;
}

export type NewPasswordErrors = Partial<Record<keyof NewPassword, string>>;

interface PasswordPairProps {
  value: NewPassword;
  errors: NewPasswordErrors;
  onChange: (value: NewPassword) => void;
  firstRef: Ref<HTMLInputElement>;
  secondRef: Ref<HTMLInputElement>;
}

/** The two fields of a new password, with its rules checked while typing. */
export function PasswordPair({ value, errors, onChange, firstRef, secondRef }: PasswordPairProps) {
  const { password, again } = value;
  return (
    <>
      <PasswordField
        ref={firstRef}
        label={newPasswordCopy.password}
        name="new-password"
        autoComplete="new-password"
        enterKeyHint="next"
        value={password}
        error={errors.password}
        helper={joinCopy.passwordHelper}
        onChange={(typed) => onChange({ password: typed, again })}
      />
      <PasswordField
        ref={secondRef}
        label={newPasswordCopy.again}
        name="new-password-again"
        autoComplete="new-password"
        enterKeyHint="done"
        value={again}
        error={errors.again}
        onChange={(typed) => onChange({ password, again: typed })}
      />
      <ul className={styles.rules}>
        <Rule isKept={isLongEnough(password)}>{newPasswordCopy.longEnough}</Rule>
        <Rule isKept={password !== '' && password === again}>{newPasswordCopy.same}</Rule>
      </ul>
    </>
  );
}

function Rule({ isKept, children }: { isKept: boolean; children: string }) {
  return (
    <li className={styles.rule} data-kept={isKept || undefined}>
      <CheckIcon size={16} />
      {children}
      <span className="sr-only">{isKept ? newPasswordCopy.yes : newPasswordCopy.notYet}</span>
    </li>
  );
}

/** The errors by field; empty when the pair is valid. */
export function checkNewPassword({ password, again }: NewPassword): NewPasswordErrors {
  const error = passwordError(password);
  if (error !== null) return { password: error };
  if (again === '') return { again: loginCopy.passwordMissing };
  return password === again ? {} : { again: newPasswordCopy.differs };
}
