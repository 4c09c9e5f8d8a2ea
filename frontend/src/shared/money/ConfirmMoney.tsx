import { type ReactNode, useId } from 'react';
import { action, state } from '@/shared/copy/copy.shared';
import { Button, type ButtonTone } from '@/shared/ui/Button';
import { type Fact, Facts } from '@/shared/ui/Facts';
import { Sheet } from '@/shared/ui/Sheet';
import { useIsOnline } from '@/shared/ui/States';
import { useAcceptsTaps } from '@/shared/ui/useAcceptsTaps';
import styles from './ConfirmMoney.module.css';

interface ConfirmMoneyProps {
  open: boolean;
  /** The question, with the names and the amount. */
  title: string;
  note?: ReactNode;
  facts?: readonly Fact[];
  sum?: Fact;
  /** What follows the figures. */
  children?: ReactNode;
  /** The label of the confirming button. */
  word: string;
  tone?: ButtonTone;
  isSending: boolean;
  /** Blocks the confirming button, for example while its figures load. */
  isBlocked?: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

/** The last question before money moves. The confirming button takes no taps for its first half second. */
export function ConfirmMoney(props: ConfirmMoneyProps) {
  const { open, title, note, facts = [], sum, children, word, tone = 'primary', isSending, isBlocked = false, onConfirm, onClose } = props;
  const isOnline = useIsOnline();
  const noteId = useId();
  const acceptsTaps = useAcceptsTaps(open);
  return (
    <Sheet
      open={open}
      title={title}
      onClose={onClose}
      footer={
        // The confirming button is above the closing button, so that a second tap at the same place never confirms.
        <div className={styles.choices}>
          <p id={noteId} role="alert" className={styles.alert}>
            {!isOnline && state.offlineBlocked}
          </p>
          <Button tone={tone} size="large" block busy={isSending} resting={!acceptsTaps} disabled={!isOnline || isBlocked} describedBy={noteId} onClick={onConfirm}>
            {word}
          </Button>
          <Button tone="neutral" size="large" block resting={!acceptsTaps} onClick={onClose}>
            {action.close}
          </Button>
        </div>
      }
    >
      {note && <p className={styles.note}>{note}</p>}
      {(facts.length > 0 || sum) && <Facts facts={facts} {...(sum && { sum })} />}
      {children}
    </Sheet>
  );
}
