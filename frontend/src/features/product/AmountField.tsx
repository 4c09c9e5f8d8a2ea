import { type CSSProperties, useId, useLayoutEffect, useRef } from 'react';
import { bigWon } from '@/shared/format/bigWon';
import { haptic } from '@/shared/platform/haptics';
import { EMPTY_ENTRY, entryValue, groupedEntry, type KeypadEntry, prefilled } from '@/shared/ui/amountEntry';
import { MinusIcon, PlusIcon } from '@/shared/ui/laterIcons';
import { type AmountRange, stepped } from './amountRange';
import styles from './Calculator.module.css';
import { productDetail } from './copy';

/** No product takes ten billion won or more. */
export const MAX_DIGITS = 11;

interface AmountFieldProps {
  label: string;
  entry: KeypadEntry;
  range: AmountRange;
  error: string | null;
  /** Our own keypad types into the field while it is open. */
  onOpenKeypad: () => void;
  onChange: (entry: KeypadEntry) => void;
}

/** An amount in won: typed, or changed by a slider or steps. */
export function AmountField({ label, entry, range, error, onOpenKeypad, onChange }: AmountFieldProps) {
  const id = useId();
  const amount = entryValue(entry);
  const shown = Math.min(Math.max(amount ?? 0, range.from), range.to);
  const { input, keepCaret } = useCaretAmongDigits(entry);
  const move = (direction: 1 | -1) => {
    haptic('selection');
    onChange(prefilled(stepped(amount, direction, range), 0));
  };

  return (
    <div className={styles.amount}>
      <label htmlFor={id} className={styles.label}>
        {label}
      </label>
      <div className={styles.amountRow}>
        <button type="button" className={styles.step} aria-label={productDetail.less(bigWon(range.step))} onClick={() => move(-1)}>
          <MinusIcon />
        </button>
        <div className={`${styles.box} ${error ? styles.invalid : ''}`}>
          {/* The rule does not follow htmlFor across siblings. */}
          {/* eslint-disable-next-line jsx-a11y/control-has-associated-label */}
          <input
            ref={input}
            id={id}
            // Our keypad replaces the system one; a hardware keyboard types here as well.
            inputMode="none"
            autoComplete="off"
            className={styles.input}
            value={groupedEntry(entry)}
            placeholder="0"
            aria-invalid={error ? true : undefined}
            aria-describedby={`${id}-note`}
            onFocus={onOpenKeypad}
            onClick={onOpenKeypad}
            onChange={({ target, nativeEvent }) => {
              keepCaret(target);
              // A typed point is ignored; the decimals of a pasted amount are dropped.
              const isTyped = nativeEvent instanceof InputEvent && nativeEvent.inputType === 'insertText';
              const won = isTyped ? target.value : target.value.replace(/\..*$/s, '');
              const digits = won.replace(/\D/g, '').replace(/^0+/, '').slice(0, MAX_DIGITS);
              onChange(digits === '' ? EMPTY_ENTRY : { text: digits, isFresh: false });
            }}
          />
          <span aria-hidden="true">{productDetail.won}</span>
        </div>
        <button type="button" className={styles.step} aria-label={productDetail.more(bigWon(range.step))} onClick={() => move(1)}>
          <PlusIcon />
        </button>
      </div>
      <p id={`${id}-note`} className={`${styles.note} ${error ? styles.error : ''}`} role={error ? 'alert' : undefined}>
        {error ?? bigWon(amount)}
      </p>
      <input
        type="range"
        className={styles.slider}
        style={{ '--filled': `${((shown - range.from) / Math.max(range.to - range.from, 1)) * 100}%` } as CSSProperties}
        aria-label={label}
        aria-valuetext={bigWon(amount ?? 0)}
        min={range.from}
        max={range.to}
        step={range.step}
        value={shown}
        onChange={({ target }) => onChange(prefilled(Number(target.value), 0))}
      />
    </div>
  );
}

/** Commas appear and vanish while typing; the caret stays behind its digit. */
function useCaretAmongDigits(entry: KeypadEntry) {
  const input = useRef<HTMLInputElement>(null);
  const digitsBefore = useRef<number | null>(null);
  useLayoutEffect(() => {
    const wanted = digitsBefore.current;
    digitsBefore.current = null;
    if (wanted === null || !input.current) return;
    const { value } = input.current;
    let place = 0;
    for (let seen = 0; seen < wanted && place < value.length; place += 1) if (/\d/.test(value.charAt(place))) seen += 1;
    input.current.setSelectionRange(place, place);
  }, [entry]);
  const keepCaret = ({ value, selectionStart }: HTMLInputElement) => {
    digitsBefore.current = value.slice(0, selectionStart ?? value.length).replace(/\D/g, '').length;
  };
  return { input, keepCaret };
}
