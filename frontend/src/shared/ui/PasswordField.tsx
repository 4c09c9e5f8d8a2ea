import { useState } from 'react';
import { password } from '@/shared/copy/copy.password';
import styles from './Field.module.css';
import { EyeIcon, EyeOffIcon } from './eyeIcons';
import { TextField, type TextFieldProps } from './TextField';

/** A password field with a reveal button. */
export function PasswordField(props: Omit<TextFieldProps, 'type' | 'inside'>) {
  const [isShown, setShown] = useState(false);
  return (
    <TextField
      {...props}
      type={isShown ? 'text' : 'password'}
      spellCheck={false}
      autoCapitalize="none"
      inside={
        <button
          type="button"
          className={styles.inside}
          aria-label={isShown ? password.hide : password.show}
          onClick={() => setShown(!isShown)}
        >
          {isShown ? <EyeOffIcon /> : <EyeIcon />}
        </button>
      }
    />
  );
}
