import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { state } from '@/shared/copy/copy.shared';
import { haptic } from '@/shared/platform/haptics';
import { entryValue, type KeypadEntry, type KeypadKey, pressKey } from '@/shared/ui/amountEntry';
import { AmountDisplay } from '@/shared/ui/AmountDisplay';
import { AmountKeypad } from '@/shared/ui/AmountKeypad';
import { Button } from '@/shared/ui/Button';
import { announce } from '@/shared/ui/screenAnnouncer';
import { useIsOnline } from '@/shared/ui/States';
import styles from './AmountPad.module.css';
import { moneyCopy } from './copy.money';

export interface AmountChip {
  label: string;
  /** The amount after a tap on the chip, from the amount so far. */
  amount: (now: number) => number;
}

interface AmountPadProps {
  /** The question above the amount. */
  label: string;
  placeholder: string;
  unit: string;
  entry: KeypadEntry;
  onChange: (entry: KeypadEntry) => void;
  chips: readonly AmountChip[];
  /** A mistake in the amount; null when it is fine or empty. */
  problem: string | null;
  helper: string | null;
  /** Lines between the amount and the keypad. */
  children?: ReactNode;
  /** Why nothing can be sent now, whatever the amount. */
  blocked?: string | null;
  word: string;
  /** False while another layer has the hardware keyboard. */
  isActive: boolean;
  onNext: () => void;
}

const MAX_WHOLE_DIGITS = 12;
const RULES = { decimals: 0, maxWholeDigits: MAX_WHOLE_DIGITS };
const ANNOUNCE_DELAY_MS = 500;

/** One whole amount on our own keypad, with chips for usual steps and the button to the confirmation. */
export function AmountPad(props: AmountPadProps) {
  const { label, placeholder, unit, entry, onChange, chips, problem, helper, children, blocked = null, word, isActive, onNext } = props;
  const [shakes, setShakes] = useState(0);
  const [isSubmitted, setSubmitted] = useState(false);
  const isOnline = useIsOnline();
  const ids = useId();
  const amount = entryValue(entry);
  const isEmpty = amount === null || amount === 0;
  const error = problem ?? (isSubmitted && isEmpty ? moneyCopy.noAmount : null);
  const reason = isOnline ? blocked : state.offlineBlocked;
  useAmountAnnouncement(amount === null ? '' : `${amount.toLocaleString('ko-KR')}${unit}`);
  useShakeOnProblem(problem, () => shake());

  const shake = () => {
    haptic('warning');
    setShakes((count) => count + 1);
  };
  const press = (key: KeypadKey) => {
    const next = pressKey(entry, key, RULES);
    if (next === entry && key !== 'back' && key !== 'clear') shake();
    setSubmitted(false);
    onChange(next);
  };
  const next = () => {
    if (!isEmpty) {
      onNext();
      return;
    }
    setSubmitted(true);
    shake();
  };

  return (
    <div className={styles.pad}>
      <div className={styles.amount}>
        <AmountDisplay
          label={label}
          entry={entry}
          unit={unit}
          placeholder={placeholder}
          isActive
          onActivate={() => undefined}
          shakes={shakes}
          error={error}
          helper={helper}
          errorId={`${ids}-amount`}
        />
        {children}
      </div>
      <div className={styles.bottom}>
        {chips.length > 0 && (
          <div role="group" aria-label={moneyCopy.adds} className={styles.chips}>
            {chips.map((chip) => (
              <button
                key={chip.label}
                type="button"
                className={styles.chip}
                onClick={() => {
                  haptic('selection');
                  setSubmitted(false);
                  onChange({ text: String(Math.min(chip.amount(amount ?? 0), 10 ** MAX_WHOLE_DIGITS - 1)), isFresh: false });
                }}
              >
                {chip.label}
              </button>
            ))}
          </div>
        )}
        <AmountKeypad label={moneyCopy.keypad} hasPoint={false} onKey={press} isActive={isActive} />
      </div>
      <div className={styles.cta}>
        {reason && (
          <p id={`${ids}-blocked`} className={styles.blocked}>
            {reason}
          </p>
        )}
        <Button
          size="large"
          block
          disabled={reason !== null || problem !== null}
          describedBy={reason ? `${ids}-blocked` : error ? `${ids}-amount` : undefined}
          onClick={next}
        >
          {word}
        </Button>
      </div>
    </div>
  );
}

/** An amount that becomes too large shakes once. */
function useShakeOnProblem(problem: string | null, shake: () => void): void {
  const before = useRef(problem);
  const latest = useRef(shake);
  useEffect(() => {
    latest.current = shake;
  });
  useEffect(() => {
    if (problem !== null && problem !== before.current) latest.current();
    before.current = problem;
  }, [problem]);
}

function useAmountAnnouncement(spoken: string): void {
  const isFirst = useRef(true);
  useEffect(() => {
    if (isFirst.current) {
      isFirst.current = false;
      return undefined;
    }
    const timer = setTimeout(() => announce(spoken), ANNOUNCE_DELAY_MS);
    return () => clearTimeout(timer);
  }, [spoken]);
}
