import { useEffect, useId, useRef, useState } from 'react';
import { action } from '@/shared/copy/copy.shared';
import { given } from '@/shared/copy/copy.given';
import { Button } from '@/shared/ui/Button';
import { installCopy } from './copy';
import styles from './InstallDialog.module.css';

interface InstallDialogProps {
  /** False when the browser cannot install by itself; the dialog then says how it is done by hand. */
  onInstall: () => boolean;
  onStay: () => void;
  onClose: () => void;
}

/** Offers the app. Only its buttons close it, and both are equally easy to press. */
export function InstallDialog({ onInstall, onStay, onClose }: InstallDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const title = useRef<HTMLHeadingElement>(null);
  const [isByHand, setByHand] = useState(false);
  const titleId = useId();
  const bodyId = useId();

  useEffect(() => {
    const element = dialog.current;
    if (!element) return;
    const opener = document.activeElement;
    let isLeaving = false;
    // React does not know this attribute everywhere yet; without it the third Esc closes any dialog.
    element.setAttribute('closedby', 'none');
    if (!element.open) element.showModal();
    document.documentElement.toggleAttribute('data-locked', true);
    const refuse = (event: Event) => event.preventDefault();
    // A WebView that knows no `closedby` closes it all the same: it opens again.
    const reopen = () => {
      if (!isLeaving && element.isConnected && !element.open) element.showModal();
    };
    element.addEventListener('cancel', refuse);
    element.addEventListener('close', reopen);
    return () => {
      isLeaving = true;
      element.removeEventListener('cancel', refuse);
      element.removeEventListener('close', reopen);
      element.close();
      document.documentElement.toggleAttribute('data-locked', false);
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus({ preventScroll: true });
    };
  }, []);

  useEffect(() => title.current?.focus(), [isByHand]);

  return (
    <dialog ref={dialog} className={styles.dialog} role="alertdialog" aria-labelledby={titleId} aria-describedby={bodyId}>
      <img src="/icon.svg" alt="" width={56} height={56} className={styles.icon} />
      <h2 ref={title} id={titleId} tabIndex={-1} className={styles.title}>
        {isByHand ? installCopy.howTitle : installCopy.title}
      </h2>
      <p id={bodyId} className={styles.body}>
        {isByHand ? installCopy.howBody : installCopy.body}
      </p>
      <div className={styles.actions}>
        {isByHand ? (
          <Button size="large" block onClick={onClose}>
            {action.confirm}
          </Button>
        ) : (
          <>
            <Button
              size="large"
              block
              onClick={() => {
                if (onInstall()) onClose();
                else setByHand(true);
              }}
            >
              {given.installApp}
            </Button>
            <Button tone="neutral" size="large" block onClick={onStay}>
              {given.stayOnWeb}
            </Button>
          </>
        )}
      </div>
    </dialog>
  );
}
