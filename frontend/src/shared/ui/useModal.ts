import { type RefObject, useEffect, useRef, useState } from 'react';
import { useOverlayEntry } from './overlayHistory';

const LEAVE_MS = 220;

/**
 * Opens a native `<dialog>` modally, closed by back and Esc. Closing returns the page and the focus at once; the leave
 * animation plays in a popover, which blocks neither typing nor tapping.
 */
export function useModal(isOpen: boolean, onClose: () => void): { ref: RefObject<HTMLDialogElement | null>; isPresent: boolean } {
  const ref = useRef<HTMLDialogElement>(null);
  const [isPresent, setPresent] = useState(isOpen);
  if (isOpen && !isPresent) setPresent(true);
  useOverlayEntry(isOpen, onClose);

  useEffect(() => {
    const dialog = ref.current;
    if (!dialog || !isOpen) return;
    const opener = openerNow();
    restoreDialog(dialog);
    dialog.dataset.state = 'open';
    if (!dialog.open) dialog.showModal();
    lockScroll(1);
    const onCancel = (event: Event) => {
      event.preventDefault();
      onCloseRef.current();
    };
    // A WebView that ignores preventDefault closes the element itself, so the owner is notified.
    const onNativeClose = () => {
      // The event is late: the dialog may have been opened again.
      if (!dialog.open) onCloseRef.current();
    };
    dialog.addEventListener('cancel', onCancel);
    dialog.addEventListener('close', onNativeClose);
    return () => {
      dialog.removeEventListener('cancel', onCancel);
      dialog.removeEventListener('close', onNativeClose);
      lockScroll(-1);
      if (!dialog.isConnected) return;
      dialog.close();
      // After `close()`, so that the hidden dialog is not laid out in between.
      dialog.dataset.state = 'closing';
      const leavesForMs = leave(dialog);
      restoreFocus(opener);
      setTimeout(() => {
        if (dialog.dataset.state === 'closing' && dialog.isConnected) setPresent(false);
      }, leavesForMs);
    };
  }, [isOpen]);

  const onCloseRef = useRef(onClose);
  useEffect(() => {
    onCloseRef.current = onClose;
  });

  return { ref, isPresent };
}

// Safari does not focus tapped buttons, so the last pressed one is remembered.
let lastPressed: WeakRef<Element> | null = null;
document.addEventListener(
  'pointerdown',
  ({ target }) => {
    const pressed = target instanceof Element ? target.closest('button, a[href], summary, [tabindex]') : null;
    lastPressed = pressed && new WeakRef(pressed);
  },
  { capture: true, passive: true },
);

function openerNow(): Element | null {
  const focused = document.activeElement;
  return focused === null || focused === document.body ? (lastPressed?.deref() ?? focused) : focused;
}

/** Shows a closed dialog as an inert popover during its leave animation. Returns the duration. */
function leave(dialog: HTMLDialogElement): number {
  // A WebView without popovers just removes it.
  if (!('showPopover' in dialog)) return 0;
  dialog.toggleAttribute('inert', true);
  dialog.setAttribute('popover', 'manual');
  dialog.showPopover();
  return LEAVE_MS;
}

/** Restores a dialog that is opened again while it leaves. */
function restoreDialog(dialog: HTMLDialogElement): void {
  if (dialog.hasAttribute('popover')) dialog.hidePopover();
  dialog.removeAttribute('popover');
  dialog.removeAttribute('inert');
}

function restoreFocus(opener: Element | null): void {
  const give = () => {
    if (opener instanceof HTMLElement && opener.isConnected) opener.focus({ preventScroll: true });
  };
  give();
  // When nested overlays close together, this one is inert until all have closed.
  queueMicrotask(() => {
    if (document.activeElement === document.body) give();
  });
}

let locks = 0;

function lockScroll(change: 1 | -1): void {
  locks += change;
  document.documentElement.toggleAttribute('data-locked', locks > 0);
}
