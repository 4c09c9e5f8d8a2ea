import { type RefObject, useEffect, useRef, useState } from 'react';
import { useOverlayEntry } from './overlayHistory';

const LEAVE_MS = 220;

/** Opens a native `<dialog>` modally, closes it after its leave animation, and obeys the back button and Esc. */
export function useModal(isOpen: boolean, onClose: () => void): { ref: RefObject<HTMLDialogElement | null>; isPresent: boolean } {
  const ref = useRef<HTMLDialogElement>(null);
  const [isPresent, setPresent] = useState(isOpen);
  if (isOpen && !isPresent) setPresent(true);
  useOverlayEntry(isOpen, onClose);

  useEffect(() => {
    const dialog = ref.current;
    if (!dialog || !isOpen) return;
    const opener = document.activeElement;
    dialog.dataset.state = 'open';
    if (!dialog.open) dialog.showModal();
    lockScroll(1);
    const onCancel = (event: Event) => {
      event.preventDefault();
      onCloseRef.current();
    };
    // A WebView that ignores preventDefault closes the element by itself: say so to the owner.
    const onNativeClose = () => onCloseRef.current();
    dialog.addEventListener('cancel', onCancel);
    dialog.addEventListener('close', onNativeClose);
    return () => {
      dialog.removeEventListener('cancel', onCancel);
      dialog.removeEventListener('close', onNativeClose);
      lockScroll(-1);
      dialog.dataset.state = 'closing';
      setTimeout(() => {
        if (dialog.dataset.state !== 'closing' || !dialog.isConnected) return;
        dialog.close();
        setPresent(false);
        if (opener instanceof HTMLElement && opener.isConnected) opener.focus({ preventScroll: true });
      }, LEAVE_MS);
    };
  }, [isOpen]);

  const onCloseRef = useRef(onClose);
  useEffect(() => {
    onCloseRef.current = onClose;
  });

  return { ref, isPresent };
}

let locks = 0;

function lockScroll(change: 1 | -1): void {
  locks += change;
  document.documentElement.toggleAttribute('data-locked', locks > 0);
}
