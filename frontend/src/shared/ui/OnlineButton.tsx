import { useId } from 'react';
import { state } from '@/shared/copy/copy.shared';
import { Button, type ButtonProps } from './Button';
import styles from './OnlineButton.module.css';
import { useIsOnline } from './States';

interface OnlineButtonProps extends Omit<ButtonProps, 'size' | 'block' | 'describedBy'> {
  /** Stands below while there is a connection. */
  note?: string;
}

/** The main button of a form. Without a connection it does nothing, and says so below. */
export function OnlineButton({ disabled = false, note, ...rest }: OnlineButtonProps) {
  const isOnline = useIsOnline();
  const noteId = useId();
  const shown = isOnline ? note : state.offlineBlocked;
  return (
    <>
      <Button {...rest} size="large" block disabled={disabled || !isOnline} describedBy={shown === undefined ? undefined : noteId} />
      {shown !== undefined && (
        <p id={noteId} className={styles.note}>
          {shown}
        </p>
      )}
    </>
  );
}
