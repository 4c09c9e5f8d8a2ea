import { type ReactNode, useEffect, useRef } from 'react';
import { groupedEntry, type KeypadEntry } from './amountEntry';
import styles from './AmountDisplay.module.css';

interface AmountDisplayProps {
  label: string;
  entry: KeypadEntry;
  unit: string;
  /** Shown before the digits, such as $. */
  prefix?: string;
  placeholder: string;
  isActive: boolean;
  onActivate: () => void;
  /**
   * The number of rejected keys; each further one shakes the amount. Two names of one animation, because the same name would
   * not restart it.
   */
  shakes: number;
  error: string | null;
  helper?: string | null;
  errorId: string;
  /** Controls at the end. */
  children?: ReactNode;
}

/** A number typed on our keypad: new digits drop in, a rejected key shakes it. Tapping it makes the keypad type here. */
export function AmountDisplay(props: AmountDisplayProps) {
  const { label, entry, unit, prefix = '', placeholder, isActive, onActivate, shakes, error, helper, errorId, children } = props;
  const isEmpty = entry.text === '';
  const row = useRef<HTMLDivElement>(null);
  // On a low screen two amounts do not fit above the keypad, so the active one is scrolled into view.
  useEffect(() => {
    if (isActive) (row.current as Partial<HTMLDivElement> | null)?.scrollIntoView?.({ block: 'nearest' });
  }, [isActive]);
  return (
    <div ref={row} className={styles.row} data-active={isActive} data-wrong={error !== null || undefined}>
      <div className={styles.line}>
        <button
          type="button"
          className={styles.field}
          aria-pressed={isActive}
          aria-describedby={error ? errorId : undefined}
          onClick={onActivate}
        >
          <span className={`${styles.label} ${isActive ? styles.active : ''}`}>{label}</span>
          <output
            aria-live="off"
            className={[styles.value, isEmpty && styles.empty, error && styles.wrong, shakes > 0 && styles[shakes % 2 === 1 ? 'shakeOdd' : 'shakeEven']].filter(Boolean).join(' ')}
          >
            {isEmpty ? (
              <>
                {isActive && <Caret />}
                {placeholder}
              </>
            ) : (
              <>
                <span className={entry.isFresh && isActive ? styles.selected : undefined}>
                  {prefix}
                  <Digits text={groupedEntry(entry)} />
                </span>
                {isActive && <Caret />}
                <span className={styles.unit}>{unit}</span>
              </>
            )}
          </output>
        </button>
        {children}
      </div>
      <p id={errorId} className={`${styles.note} ${error ? styles.error : ''}`} role={error ? 'alert' : undefined}>
        {error ?? helper}
      </p>
    </div>
  );
}

// Keyed by position and digit, so that only new digits drop in and a comma that moves fades in.
function Digits({ text }: { text: string }) {
  let place = 0;
  return [...text].map((character) => {
    if (character === ',') {
      return (
        <span key={`comma-${place}`} className={styles.comma}>
          ,
        </span>
      );
    }
    place += 1;
    return (
      <span key={`${place}-${character}`} className={styles.digit}>
        {character}
      </span>
    );
  });
}

function Caret() {
  return <span aria-hidden="true" className={styles.caret} />;
}
