import type { ReactNode } from 'react';
import styles from './BottomCTA.module.css';
import { useKeyboardOffset } from './useKeyboardOffset';

interface BottomCTAProps {
  /** One or two `Button`s or `ButtonLink`s of size large. */
  children: ReactNode;
  /** Why the action is blocked or what it will do; give `helperId` to the button's `describedBy`. */
  helper?: string | null;
  helperId?: string;
}

/** The screen's main action, fixed above the safe area and the on-screen keyboard. Two children share the width. */
export function BottomCTA({ children, helper, helperId }: BottomCTAProps) {
  const offset = useKeyboardOffset();
  return (
    <>
      <div className={styles.space} aria-hidden="true" />
      <div className={styles.bar} style={offset > 0 ? { transform: `translateY(-${offset}px)` } : undefined}>
        {helper && (
          <p id={helperId} className={styles.helper}>
            {helper}
          </p>
        )}
        <div className={styles.row}>{children}</div>
      </div>
    </>
  );
}
