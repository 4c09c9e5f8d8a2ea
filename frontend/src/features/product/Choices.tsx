import { useId } from 'react';
import { haptic } from '@/shared/platform/haptics';
import styles from './Calculator.module.css';

interface ChoicesProps<Value extends string | number> {
  legend: string;
  values: readonly Value[];
  labelOf: (value: Value) => string;
  value: Value;
  onChange: (value: Value) => void;
}

// Up to four share a row; more are in rows of three, so that none is left alone on a phone.
const MAX_IN_A_ROW = 4;
const FEWER_IN_A_ROW = 3;

/** A radio group; nothing when there is no choice. */
export function Choices<Value extends string | number>({ legend, values, labelOf, value, onChange }: ChoicesProps<Value>) {
  const name = useId();
  if (values.length < 2) return null;
  return (
    <fieldset className={styles.choices}>
      <legend className={styles.label}>{legend}</legend>
      <div className={styles.chips} style={{ gridTemplateColumns: `repeat(${values.length > MAX_IN_A_ROW ? FEWER_IN_A_ROW : values.length}, 1fr)` }}>
        {values.map((option) => (
          <label key={option} className={styles.chip}>
            {/* The rule does not see that the label around it names it. */}
            {/* eslint-disable-next-line jsx-a11y/control-has-associated-label */}
            <input
              type="radio"
              name={name}
              className={styles.radio}
              checked={option === value}
              onChange={() => {
                haptic('selection');
                onChange(option);
              }}
            />
            <span>{labelOf(option)}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
