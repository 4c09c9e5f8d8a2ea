import { useId } from 'react';
import styles from './My.module.css';

interface RadioChipsProps<Value extends string | number> {
  label: string;
  options: readonly { value: Value; label: string }[];
  value: Value;
  onChange: (value: Value) => void;
}

/** Native radio buttons styled as chips. */
export function RadioChips<Value extends string | number>({ label, options, value, onChange }: RadioChipsProps<Value>) {
  const id = useId();
  return (
    <fieldset className={styles.choice}>
      <legend className={styles.settingName}>{label}</legend>
      <div className={styles.options}>
        {options.map((option) => (
          <div key={option.value} className={styles.option}>
            <input
              id={`${id}-${option.value}`}
              type="radio"
              name={id}
              aria-labelledby={`${id}-${option.value}-name`}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
            />
            <label id={`${id}-${option.value}-name`} htmlFor={`${id}-${option.value}`}>
              {option.label}
            </label>
          </div>
        ))}
      </div>
    </fieldset>
  );
}
