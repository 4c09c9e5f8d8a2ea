import { haptic } from '@/shared/platform/haptics';
import styles from './Tabs.module.css';

interface ChoiceChipsProps<Value extends string> {
  /** The accessible name of the group. */
  label: string;
  values: readonly Value[];
  names: Readonly<Record<Value, string>>;
  value: Value;
  onChange: (value: Value) => void;
  /** Chips, or quiet words for the order of a list that chips above it filter. */
  look?: 'chips' | 'words';
}

/** A row of chips with one selected, such as a sort order or a period; unlike tabs they control no panel. */
export function ChoiceChips<Value extends string>({ label, values, names, value, onChange, look = 'chips' }: ChoiceChipsProps<Value>) {
  return (
    <div role="group" aria-label={label} className={styles[look]}>
      {values.map((known) => (
        <button
          key={known}
          type="button"
          aria-pressed={known === value}
          className={look === 'chips' ? styles.chip : styles.word}
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
