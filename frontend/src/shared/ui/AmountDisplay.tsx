import { useEffect, useId, useState } from 'react';
import styles from './Amount.module.css';
import { groupedText } from './amountText';

const SAY_AFTER_MS = 500;

interface AmountDisplayProps {
  label: string;
  /** The amount as the keypad keeps it. */
  value: string;
  unit: string;
  placeholder: string;
  /** What is wrong with it; shakes when it appears. */
  error?: string | null;
  helper?: string | null;
}

/** The big figure that a keypad types into. It is said aloud when the typing pauses. */
export function AmountDisplay({ label, value, unit, placeholder, error, helper }: AmountDisplayProps) {
  const id = useId();
  const text = groupedText(value);
  const [said, setSaid] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSaid(text === '' ? '' : text + unit), SAY_AFTER_MS);
    return () => clearTimeout(timer);
  }, [text, unit]);

  return (
    <div>
      <span id={id} className="sr-only">
        {label}
      </span>
      <output aria-labelledby={id} className={`${styles.display} ${error ? styles.over : ''}`}>
        {text === '' ? (
          <span className={styles.placeholder}>{placeholder}</span>
        ) : (
          <>
            {[...text].map((character, index) => (
              <span key={`${text.length - index}-${character}`} className={styles.digit}>
                {character}
              </span>
            ))}
            <span className={styles.unit}>{unit}</span>
          </>
        )}
      </output>
      <span className="sr-only" aria-live="polite">
        {said}
      </span>
      <p className={`${styles.helper} ${error ? styles.error : ''}`} role={error ? 'alert' : undefined}>
        {error ?? helper}
      </p>
    </div>
  );
}
