import { haptic } from '@/shared/platform/haptics';
import styles from './Tabs.module.css';

interface ChoiceChipsProps<Value extends string> {
  /** The accessible name of the group. */
  label: string;
  values: readonly Value[];
  names: Readonly<Record<Value, string>>;
  value: Value;
  onChange: (value: Value) => void;
}

/** A row of chips with one selected, such as a sort order or a period; unlike tabs they control no panel. */
export function ChoiceChips<Value extends string>({ label, values, names, value, onChange }: ChoiceChipsProps<Value>) {
  return (
    <div role="group" aria-label={label} className={styles.chips}>
      {values.map((known) => (
        <button
          key={known}
          type="button"
          aria-pressed={known === value}
          className={styles.chip}
          onClick={() => {
            haptic('selection');
            onChange(known);
          }}
        >
          {names[known]}
        </button>
      ))}
    </div>
  );
}
