import { type PointerEvent, type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react';
import { action } from '@/shared/copy/copy.shared';
import { CloseIcon } from './icons';
import styles from './Modal.module.css';
import { useModal } from './useModal';

const CLOSE_DRAG_PX = 96;

interface SheetProps {
  open: boolean;
  title: string;
  onClose: () => void;
  children: ReactNode;
  /** Buttons that stay in view below the scrolling content. */
  footer?: ReactNode;
  /** Covers the whole frame, for tasks such as search. Hides the grabber. */
  full?: boolean;
}

/** A panel from the bottom edge. Closed by its button, by dragging the grabber down, by Esc, backdrop or back. */
export function Sheet({ open, title, onClose, children, footer, full = false }: SheetProps) {
  const { ref, isPresent } = useModal(open, onClose);
  const titleId = useId();
  const dragFromY = useRef<number | null>(null);
  const content = useRef<HTMLDivElement>(null);
  const isReadByKeys = useIsReadByKeys(content, isPresent);
  if (!isPresent) return null;

  const drag = (event: PointerEvent<HTMLDivElement>) => {
    if (dragFromY.current === null || !ref.current) return;
    ref.current.style.translate = `0 ${Math.max(0, event.clientY - dragFromY.current)}px`;
  };
  const drop = (event: PointerEvent<HTMLDivElement>) => {
    if (dragFromY.current === null || !ref.current) return;
    const distance = event.clientY - dragFromY.current;
    dragFromY.current = null;
    ref.current.style.translate = '';
    if (distance > CLOSE_DRAG_PX) onClose();
  };

  return (
    // Esc and the close button do the same for the keyboard; the click is only the backdrop.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events
    <dialog
      ref={ref}
      className={`${styles.sheet} ${full ? styles.full : ''}`}
      aria-labelledby={titleId}
      onClick={(event) => event.target === event.currentTarget && onClose()}
    >
      {!full && (
        <div
          className={styles.grabber}
          onPointerDown={(event) => {
            dragFromY.current = event.clientY;
            event.currentTarget.setPointerCapture(event.pointerId);
          }}
          onPointerMove={drag}
          onPointerUp={drop}
          onPointerCancel={drop}
        />
      )}
      <div className={styles.header}>
        <h2 id={titleId} className={styles.title} tabIndex={-1}>
          {title}
        </h2>
        <button type="button" className={styles.close} aria-label={action.close} onClick={onClose}>
          <CloseIcon />
        </button>
      </div>
      <div ref={content} className={styles.content} data-sheet-content="" {...(isReadByKeys && { role: 'region', 'aria-labelledby': titleId, tabIndex: 0 })}>
        {children}
      </div>
      {footer && <div className={styles.footer}>{footer}</div>}
    </dialog>
  );
}

/** Whether the content needs to be focusable to scroll by keyboard: it overflows, and nothing in it takes the focus. */
function useIsReadByKeys(place: RefObject<HTMLElement | null>, isPresent: boolean): boolean {
  const [isNeeded, setNeeded] = useState(false);
  useEffect(() => {
    const element = place.current;
    if (!isPresent || element === null) return undefined;
    const observer = new ResizeObserver(() =>
      setNeeded(element.scrollHeight > element.clientHeight + 1 && element.querySelector(TAKES_FOCUS) === null),
    );
    for (const part of [element, ...element.children]) observer.observe(part);
    return () => observer.disconnect();
  }, [place, isPresent]);
  return isNeeded;
}

const TAKES_FOCUS = 'a[href], button, input, select, textarea, summary, [tabindex="0"]';
