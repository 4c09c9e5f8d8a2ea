import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import styles from './BottomCTA.module.css';
import { useKeyboardOffset } from './useKeyboardOffset';

interface BottomCTAProps {
  /** One or two `Button`s or `ButtonLink`s of size large. */
  children: ReactNode;
  /** Why the action is blocked, or what it will do. Pass `helperId` to the button's `describedBy`. */
  helper?: string | null;
  helperId?: string;
}

/** The main action, fixed above the safe area and the on-screen keyboard. Two children share the width. */
export function BottomCTA({ children, helper, helperId }: BottomCTAProps) {
  const offset = useKeyboardOffset();
  const bar = useRef<HTMLDivElement>(null);
  const heightPx = useHeightOf(bar);
  return (
    <>
      <div className={styles.space} style={heightPx === null ? undefined : { height: heightPx }} aria-hidden="true" />
      <div ref={bar} className={styles.bar} style={offset > 0 ? { transform: `translateY(-${offset}px)` } : undefined}>
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

/** The height of the bar, added to the end of the screen so that it can be scrolled above it; null until measured. */
function useHeightOf(bar: RefObject<HTMLElement | null>): number | null {
  const [heightPx, setHeight] = useState<number | null>(null);
  useEffect(() => {
    if (!bar.current) return;
    const observer = new ResizeObserver(([entry]) => setHeight((entry?.target as HTMLElement | undefined)?.offsetHeight ?? null));
    observer.observe(bar.current);
    return () => observer.disconnect();
  }, [bar]);
  return heightPx;
}
