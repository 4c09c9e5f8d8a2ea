import { useId } from 'react';
import styles from './Field.module.css';

interface TextAreaProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  /** Characters that fit. */
  longest: number;
  /** The error, phrased as what to do. Replaces the helper. */
  error?: string | null;
  helper?: string;
}

/** A labelled field of several lines, as high as its text, with its helper or error and the number of characters below. */
export function TextArea({ label, value, onChange, longest, error, helper }: TextAreaProps) {
  const id = useId();
  const note = error ?? helper;
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={styles.label}>
        {label}
      </label>
      <div className={`${styles.box} ${styles.tall} ${error ? styles.invalid : ''}`}>
        {/* eslint-disable-next-line jsx-a11y/control-has-associated-label */}
        <textarea
          id={id}
          rows={4}
          value={value}
          className={styles.area}
          aria-invalid={error ? true : undefined}
          aria-describedby={`${id}-note`}
          onChange={(event) => onChange(event.target.value)}
        />
      </div>
      <div id={`${id}-note`} className={styles.below}>
        <p className={`${styles.helper} ${error ? styles.error : ''}`} role={error ? 'alert' : undefined}>
          {note}
        </p>
        <p className={styles.helper}>{`${[...value.trim()].length}/${longest}`}</p>
      </div>
    </div>
  );
}
