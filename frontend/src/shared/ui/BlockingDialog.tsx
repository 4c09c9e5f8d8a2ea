import { type ReactNode, useEffect, useId, useRef } from 'react';
import styles from './BlockingDialog.module.css';

interface BlockingDialogProps {
  title: string;
  body: string;
  /** A picture above the title. */
  picture?: ReactNode;
  /** The buttons; nothing else closes it. */
  actions: ReactNode;
}

/** A question that must be answered: no Esc, no backdrop, no back. Its owner takes it away. */
export function BlockingDialog({ title, body, picture, actions }: BlockingDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
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

  // The title takes the focus, so that it is read and no button is pressed by accident.
  useEffect(() => heading.current?.focus(), [title]);

  return (
    <dialog ref={dialog} className={styles.dialog} role="alertdialog" aria-labelledby={titleId} aria-describedby={bodyId}>
      {picture && <div className={styles.picture}>{picture}</div>}
      <h2 ref={heading} id={titleId} tabIndex={-1} className={styles.title}>
        {title}
      </h2>
      <p id={bodyId} className={styles.body}>
        {body}
      </p>
      <div className={styles.actions}>{actions}</div>
    </dialog>
  );
}
