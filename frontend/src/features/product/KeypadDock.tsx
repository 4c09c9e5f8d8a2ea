import { useEffect } from 'react';
import type { KeypadKey } from '@/shared/ui/amountEntry';
import { AmountKeypad } from '@/shared/ui/AmountKeypad';
import { Button } from '@/shared/ui/Button';
import { useOverlayEntry } from '@/shared/ui/overlayHistory';
import styles from './KeypadDock.module.css';
import { productDetail } from './copy';

interface KeypadDockProps {
  /** The result for the amount typed so far. */
  line: string;
  onKey: (key: KeypadKey) => void;
  onDone: () => void;
}

/** The keypad at the bottom edge, with the result always in view above it. */
export function KeypadDock({ line, onKey, onDone }: KeypadDockProps) {
  // Back closes the keypad and not the screen.
  useOverlayEntry(true, onDone);
  useEffect(() => {
    const onEscape = (event: KeyboardEvent) => {
      if (event.key === 'Escape' || event.key === 'Enter') onDone();
    };
    window.addEventListener('keydown', onEscape);
    return () => window.removeEventListener('keydown', onEscape);
  });
  return (
    <>
      <div className={styles.space} aria-hidden="true" />
      {/* A press on a key leaves the focus in the field it writes to. */}
      {/* eslint-disable-next-line jsx-a11y/no-static-element-interactions */}
      <div className={styles.dock} onMouseDown={(event) => event.preventDefault()}>
        <p className={styles.line}>{line}</p>
        <AmountKeypad label={productDetail.keypad} hasPoint={false} onKey={onKey} />
        <div className={styles.done}>
          <Button size="large" block onClick={onDone}>
            {productDetail.done}
          </Button>
        </div>
      </div>
    </>
  );
}
