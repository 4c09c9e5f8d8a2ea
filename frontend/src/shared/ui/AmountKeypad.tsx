import { useEffect, useRef } from 'react';
import { field } from '@/shared/copy/copy.controls';
import { haptic } from '@/shared/platform/haptics';
import { type KeypadKey, keyFromKeyboard } from './amountEntry';
import styles from './AmountKeypad.module.css';
import { BackspaceIcon } from './laterIcons';

const LONG_PRESS_MS = 500;
// A click this soon after a touch belongs to it, even if the keypad has moved since.
const CLICK_WITHIN_MS = 700;

interface AmountKeypadProps {
  label: string;
  /** Decimals get a point key, whole numbers a 00 key. */
  hasPoint: boolean;
  onKey: (key: KeypadKey) => void;
  /** False while another layer is open, which then receives the hardware keyboard. */
  isActive?: boolean;
}

/** Our own number pad: no system keyboard covers the amount, and every key is a real button. */
export function AmountKeypad({ label, hasPoint, onKey, isActive = true }: AmountKeypadProps) {
  useHardwareKeys(onKey, isActive);
  const left: KeypadKey = hasPoint ? '.' : '00';
  const keys: KeypadKey[] = ['1', '2', '3', '4', '5', '6', '7', '8', '9', left, '0', 'back'];
  return (
    <div role="group" aria-label={label} className={styles.keypad}>
      {keys.map((key) => (
        <Key key={key} value={key} onKey={onKey} />
      ))}
    </div>
  );
}

let touchedAt = Number.NEGATIVE_INFINITY;

function Key({ value, onKey }: { value: KeypadKey; onKey: (key: KeypadKey) => void }) {
  // Keys act on touch down, as phone keypads do, and the following click is ignored. A click without a touch comes from a
  // keyboard or assistive technology.
  const isSpent = useRef(false);
  const longPress = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(longPress.current), []);

  const press = (key: KeypadKey) => {
    haptic('selection');
    onKey(key);
  };
  const release = () => {
    clearTimeout(longPress.current);
    setTimeout(() => {
      isSpent.current = false;
    }, 50);
  };

  return (
    <button
      type="button"
      className={styles.key}
      aria-label={nameOf(value)}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        isSpent.current = true;
        touchedAt = event.timeStamp;
        press(value);
        if (value === 'back') longPress.current = setTimeout(() => press('clear'), LONG_PRESS_MS);
      }}
      onPointerUp={release}
      onPointerCancel={release}
      onPointerLeave={release}
      onContextMenu={(event) => event.preventDefault()}
      onClick={(event) => {
        if (isSpent.current) isSpent.current = false;
        else if (event.timeStamp - touchedAt > CLICK_WITHIN_MS) press(value);
      }}
    >
      {value === 'back' ? <BackspaceIcon size={26} /> : value}
    </button>
  );
}

function nameOf(key: KeypadKey): string | undefined {
  switch (key) {
    case 'back':
      return field.backspace;
    case '.':
      return `. ${field.point}`;
    default:
      return undefined;
  }
}

function useHardwareKeys(onKey: (key: KeypadKey) => void, isActive: boolean): void {
  const latest = useRef(onKey);
  useEffect(() => {
    latest.current = onKey;
  });
  useEffect(() => {
    if (!isActive) return;
    const onKeyDown = (event: KeyboardEvent) => {
      const key = keyFromKeyboard(event.key);
      if (key === null || event.ctrlKey || event.metaKey || event.altKey || isTypingElsewhere(event.target)) return;
      event.preventDefault();
      latest.current(key);
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [isActive]);
}

function isTypingElsewhere(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
}
