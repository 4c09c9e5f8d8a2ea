import { useEffect, useRef } from 'react';
import { field } from '@/shared/copy/copy.shared';
import { haptic } from '@/shared/platform/haptics';
import styles from './Amount.module.css';
import { type KeypadKey, pressKey } from './amountText';
import { BackspaceIcon } from './icons';

const CLEAR_HOLD_MS = 500;
const DIGITS: readonly KeypadKey[] = ['1', '2', '3', '4', '5', '6', '7', '8', '9'];

interface AmountKeypadProps {
  /** The amount as plain text, `''` when empty. */
  value: string;
  onChange: (value: string) => void;
  /** Digits allowed behind the point; 0 puts `00` where the point would be. */
  decimals?: number;
  label?: string;
  /** False while another layer is open, so that the hardware keyboard types there. */
  active?: boolean;
}

/** Twelve keys that type an amount without the phone's keyboard. A hardware keyboard works as well; holding ⌫ clears. */
export function AmountKeypad({ value, onChange, decimals = 0, label = field.keypad, active = true }: AmountKeypadProps) {
  const press = (key: KeypadKey) => {
    haptic('selection');
    onChange(pressKey(value, key, decimals));
  };

  const latestPress = useRef(press);
  useEffect(() => {
    latestPress.current = press;
  });

  useEffect(() => {
    if (!active) return;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      const key = keyOf(event.key);
      if (!key) return;
      event.preventDefault();
      latestPress.current(key);
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [active]);

  const holdTimer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const extra: KeypadKey = decimals > 0 ? '.' : '00';

  return (
    <div role="group" aria-label={label} className={styles.keypad}>
      {[...DIGITS, extra, '0' as const].map((key) => (
        <button key={key} type="button" className={styles.key} onClick={() => press(key)}>
          {key}
        </button>
      ))}
      <button
        type="button"
        className={styles.key}
        aria-label={field.backspace}
        onClick={() => press('backspace')}
        onPointerDown={() => {
          holdTimer.current = setTimeout(() => latestPress.current('clear'), CLEAR_HOLD_MS);
        }}
        onPointerUp={() => clearTimeout(holdTimer.current)}
        onPointerLeave={() => clearTimeout(holdTimer.current)}
      >
        <BackspaceIcon />
      </button>
    </div>
  );
}

function keyOf(key: string): KeypadKey | null {
  if (/^\d$/.test(key)) return key as KeypadKey;
  if (key === '.' || key === ',') return '.';
  if (key === 'Backspace') return 'backspace';
  if (key === 'Delete') return 'clear';
  return null;
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
}
