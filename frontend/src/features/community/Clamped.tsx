import { type ReactNode, useEffect, useRef, useState } from 'react';
import styles from './Community.module.css';
import { postCopy } from './copy';

/** A text of at most four lines, with a switch to the whole where there is more. */
export function Clamped({ children, toggleLabelledBy }: { children: ReactNode; toggleLabelledBy: string }) {
  const text = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [isLonger, setLonger] = useState(false);
  useEffect(() => {
    const element = text.current;
    if (element === null || isOpen) return undefined;
    const measure = () => setLonger(element.scrollHeight > element.clientHeight + 1);
    measure();
    // Other widths and letter sizes break the lines elsewhere.
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [isOpen]);
  return (
    <>
      <div ref={text} className={isOpen ? undefined : styles.clamped}>
        {children}
      </div>
      {isLonger && (
        <button type="button" className={styles.more} aria-expanded={isOpen} aria-describedby={toggleLabelledBy} onClick={() => setOpen(!isOpen)}>
          {isOpen ? postCopy.less : postCopy.more}
        </button>
      )}
    </>
  );
}
