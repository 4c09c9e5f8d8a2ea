import { type ReactNode, useId } from 'react';
import { action } from '@/shared/copy/copy.shared';
import { Button, type ButtonTone } from './Button';
import styles from './Modal.module.css';
import { useModal } from './useModal';
import { useAcceptsTaps } from './useAcceptsTaps';

interface DialogProps {
  open: boolean;
  title: string;
  body?: ReactNode;
  onClose: () => void;
  /** The confirming action; without it there is only the closing button. */
  confirm?: { label: string; onClick: () => void; tone?: ButtonTone; busy?: boolean };
  /** A second way on, next to the confirming action; closing then comes last. */
  other?: { label: string; onClick: () => void };
  /** `닫기` by default; `확인` for a dialog that only informs. */
  closeLabel?: string;
  /** An `alertdialog`: an error or an urgent decision. */
  alert?: boolean;
}

/** A short question or message in the middle of the screen. The closing button is on the left, or below two others. */
export function Dialog({ open, title, body, onClose, confirm, other, closeLabel = action.close, alert = false }: DialogProps) {
  const { ref, isPresent } = useModal(open, onClose);
  const titleId = useId();
  const bodyId = useId();
  const acceptsTaps = useAcceptsTaps(open);
  if (!isPresent) return null;
  const quiet = other ? 'text' : 'neutral';
  const close = (
    <Button tone={confirm ? quiet : 'primary'} size="large" block={other !== undefined} onClick={onClose}>
      {closeLabel}
    </Button>
  );
  return (
    <dialog
      ref={ref}
      className={styles.dialog}
      role={alert ? 'alertdialog' : undefined}
      aria-labelledby={titleId}
      aria-describedby={body ? bodyId : undefined}
    >
      {/* The title gets the focus, so that it is read and no button is pressed by accident. */}
      <h2 id={titleId} tabIndex={-1} ref={focusOnMount} className={styles.title}>
        {title}
      </h2>
      {body && (
        <div id={bodyId} className={styles.body}>
          {body}
        </div>
      )}
      <div className={styles.actions}>
        {other ? (
          <Button tone="neutral" size="large" resting={!acceptsTaps} onClick={other.onClick}>
            {other.label}
          </Button>
        ) : (
          close
        )}
        {confirm && (
          <Button tone={confirm.tone ?? 'primary'} size="large" busy={confirm.busy ?? false} resting={!acceptsTaps} onClick={confirm.onClick}>
            {confirm.label}
          </Button>
        )}
        {other && <div className={styles.last}>{close}</div>}
      </div>
    </dialog>
  );
}

function focusOnMount(title: HTMLElement | null): void {
  // Modal dialogs move focus to the first `autofocus` element when they open.
  title?.setAttribute('autofocus', '');
}
