import { type ReactNode, useEffect, useId, useRef } from 'react';
import styles from './BlockingDialog.module.css';

interface BlockingDialogProps {
  title: string;
  body: string;
  picture?: ReactNode;
  /** The only ways to close it. */
  actions: ReactNode;
}

/** A dialog that must be answered: Esc, backdrop and back do not close it. Its owner unmounts it. */
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
    // React does not know this attribute everywhere; without it a third Esc closes any dialog.
    element.setAttribute('closedby', 'none');
    if (!element.open) element.showModal();
    document.documentElement.toggleAttribute('data-locked', true);
    const prevent = (event: Event) => event.preventDefault();
    // A WebView without `closedby` closes it anyway, so it is reopened.
    const reopen = () => {
      if (!isLeaving && element.isConnected && !element.open) element.showModal();
    };
    element.addEventListener('cancel', prevent);
    element.addEventListener('close', reopen);
    return () => {
      isLeaving = true;
      element.removeEventListener('cancel', prevent);
      element.removeEventListener('close', reopen);
      element.close();
      document.documentElement.toggleAttribute('data-locked', false);
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus({ preventScroll: true });
    };
  }, []);

  // The title gets the focus, so that it is read and no button is pressed by accident.
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
