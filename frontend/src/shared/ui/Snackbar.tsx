import { useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { useLocation } from 'react-router';
import { usePreference } from '@/shared/platform/preferences';
import styles from './Snackbar.module.css';
import { dismissSnackbar, type SnackbarMessage, takeSnackbarAction, useSnackbarMessage } from './snackbarStore';

/** The host of snackbars; mounted once. The timer pauses while touched, focused or in a hidden tab. */
export function SnackbarHost() {
  const message = useSnackbarMessage();
  const shownMs = usePreference('noticeSeconds') * 1_000;
  // Which one, because a message that is replaced under the finger reports no end of the touch.
  const [held, setHeld] = useState<SnackbarMessage | null>(null);
  const place = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (!message || message === held) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const restart = () => {
      clearTimeout(timer);
      if (!document.hidden) timer = setTimeout(dismissSnackbar, shownMs);
    };
    // The page may be hidden when the message begins.
    restart();
    document.addEventListener('visibilitychange', restart);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', restart);
    };
  }, [message, held, shownMs]);

  // A modal that is removed with its screen would take the message along, so a new screen chooses a container again.
  useLocation();
  // Content outside an open modal is inert, so the message is drawn inside the topmost one.
  const container = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.body;

  useEffect(() => {
    const element = place.current;
    if (!element?.isConnected || !('showPopover' in element)) return;
    // An empty popover that stays open would be drawn as a framed box in the middle of the screen.
    if (element.matches(':popover-open') !== (message !== null)) element.togglePopover();
  }, [message, container]);
  return createPortal(
    <div ref={place} popover="manual" className={message ? styles.place : ''} role="status">
      {message && (
        // Hovering or focusing only holds the timer; nothing here is operated.
        // eslint-disable-next-line jsx-a11y/no-static-element-interactions
        <div
          key={message.id}
          className={styles.snackbar}
          onPointerEnter={() => setHeld(message)}
          onPointerLeave={() => setHeld(null)}
          onFocus={() => setHeld(message)}
          onBlur={() => setHeld(null)}
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
