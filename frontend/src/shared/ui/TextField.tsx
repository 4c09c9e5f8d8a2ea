import { type InputHTMLAttributes, type ReactNode, type Ref, useId } from 'react';
import styles from './Field.module.css';

export interface TextFieldProps
  extends Pick<
    InputHTMLAttributes<HTMLInputElement>,
    'autoComplete' | 'inputMode' | 'placeholder' | 'required' | 'enterKeyHint' | 'onBlur' | 'name' | 'spellCheck' | 'autoCapitalize' | 'readOnly'
  > {
  label: string;
  value: string;
  onChange: (value: string) => void;
  /** The error, phrased as what to do. Replaces the helper. */
  error?: string | null | undefined;
  helper?: string | undefined;
  type?: 'text' | 'email' | 'password' | 'tel';
  /** A control inside the box, at its end. */
  inside?: ReactNode;
  ref?: Ref<HTMLInputElement>;
}

/** A labelled one-line field with its helper or error below. */
export function TextField({ label, value, onChange, error, helper, type = 'text', inside, ref, ...rest }: TextFieldProps) {
  const id = useId();
  const note = error ?? helper;
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={styles.label}>
        {label}
      </label>
      <div className={`${styles.box} ${error ? styles.invalid : ''}`}>
        <input
          {...rest}
          ref={ref}
          id={id}
          type={type}
          value={value}
          className={styles.input}
          aria-invalid={error ? true : undefined}
          aria-describedby={note ? `${id}-note` : undefined}
          onChange={(event) => onChange(event.target.value)}
        />
        {inside}
      </div>
      <p id={`${id}-note`} className={`${styles.helper} ${error ? styles.error : ''}`} role={error ? 'alert' : undefined}>
        {note}
      </p>
    </div>
  );
}
