import { type RefObject, useEffect, useRef, useState } from 'react';
import { useOverlayEntry } from './overlayHistory';

const LEAVE_MS = 220;

/**
 * Opens a native `<dialog>` modally and obeys the back button and Esc. Closing gives the page and the focus back at once: what
 * is still seen leaving is a popover, which lies on top without keeping anything from being typed or tapped.
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
    comeBack(dialog);
    dialog.dataset.state = 'open';
    if (!dialog.open) dialog.showModal();
    lockScroll(1);
    const onCancel = (event: Event) => {
      event.preventDefault();
      onCloseRef.current();
    };
    // A WebView that ignores preventDefault closes the element by itself: say so to the owner.
    const onNativeClose = () => {
      // The event comes late: it may be of a closing that another opening has followed.
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
      // Not before: what is not shown in between is laid out once and not twice.
      dialog.dataset.state = 'closing';
      const leavesForMs = leave(dialog);
      giveFocusBack(opener);
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

// Safari does not focus what is tapped: the last thing pressed then stands for it.
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

/** Shows a closed dialog for the time of its leave animation, above everything and in the way of nothing. Returns that time. */
function leave(dialog: HTMLDialogElement): number {
  // A WebView that knows no popovers simply takes it away.
  if (!('showPopover' in dialog)) return 0;
  dialog.toggleAttribute('inert', true);
  dialog.setAttribute('popover', 'manual');
  dialog.showPopover();
  return LEAVE_MS;
}

/** Whoever opens it again while it leaves gets it back as it was. */
function comeBack(dialog: HTMLDialogElement): void {
  if (dialog.hasAttribute('popover')) dialog.hidePopover();
  dialog.removeAttribute('popover');
  dialog.removeAttribute('inert');
}

function giveFocusBack(opener: Element | null): void {
  const give = () => {
    if (opener instanceof HTMLElement && opener.isConnected) opener.focus({ preventScroll: true });
  };
  give();
  // An overlay that closes together with the one above it lies beneath that one's modality until all have closed.
  queueMicrotask(() => {
    if (document.activeElement === document.body) give();
  });
}

let locks = 0;

function lockScroll(change: 1 | -1): void {
  locks += change;
  document.documentElement.toggleAttribute('data-locked', locks > 0);
}
