import { useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import styles from './Snackbar.module.css';
import { dismissSnackbar, takeSnackbarAction, useSnackbarMessage } from './snackbarStore';

const SHOWN_MS = 2_000;

/** Where snackbars appear; mounted once. It pauses while touched, focused or in a hidden tab. */
export function SnackbarHost() {
  const message = useSnackbarMessage();
  const [isHeld, setHeld] = useState(false);
  const place = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (!message || isHeld) return;
    let timer = setTimeout(dismissSnackbar, SHOWN_MS);
    const onVisibility = () => {
      clearTimeout(timer);
      if (!document.hidden) timer = setTimeout(dismissSnackbar, SHOWN_MS);
    };
    document.addEventListener('visibilitychange', onVisibility);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', onVisibility);
    };
  }, [message, isHeld]);

  useEffect(() => {
    const element = place.current;
    if (element && message && 'showPopover' in element && !element.matches(':popover-open')) element.showPopover();
  }, [message]);

  // What lies outside an open modal is inert, so the message is drawn inside the topmost one.
  const container = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.body;
  return createPortal(
    <div ref={place} popover="manual" className={message ? styles.place : ''} role="status">
      {message && (
        // Hovering or focusing only holds the timer; nothing here is operated.
        // eslint-disable-next-line jsx-a11y/no-static-element-interactions
        <div
          key={message.id}
          className={styles.snackbar}
          onPointerEnter={() => setHeld(true)}
          onPointerLeave={() => setHeld(false)}
          onFocus={() => setHeld(true)}
          onBlur={() => setHeld(false)}
        >
          <span>{message.text}</span>
          {message.action && (
            <button type="button" className={styles.action} onClick={takeSnackbarAction}>
              {message.action.label}
            </button>
          )}
        </div>
      )}
    </div>,
    container,
  );
}
