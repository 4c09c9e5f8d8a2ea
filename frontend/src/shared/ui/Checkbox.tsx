import { type ReactNode, useEffect, useId, useRef } from 'react';
import styles from './Field.module.css';

interface CheckboxProps {
  checked: boolean;
  /** Some but not all of a group are checked. */
  mixed?: boolean;
  onChange: (checked: boolean) => void;
  children: ReactNode;
}

/** A native checkbox with its text as label. */
export function Checkbox({ checked, mixed = false, onChange, children }: CheckboxProps) {
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  useEffect(() => {
    if (input.current) input.current.indeterminate = mixed;
  }, [mixed]);
  return (
    <div className={styles.check}>
      {/* The rule does not follow htmlFor across siblings. */}
      {/* eslint-disable-next-line jsx-a11y/control-has-associated-label */}
      <input
        ref={input}
        id={id}
        type="checkbox"
        className={styles.checkbox}
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
      />
      <label htmlFor={id} style={{ flex: 1, cursor: 'pointer', padding: '12px 0' }}>
        {children}
      </label>
    </div>
  );
}
