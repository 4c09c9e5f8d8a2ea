import { type ReactNode, useEffect, useRef } from 'react';
import { action } from '@/shared/copy/copy.shared';
import { Button } from '@/shared/ui/Button';
import { type Fact, Facts } from '@/shared/ui/Facts';
import { CheckIcon } from '@/shared/ui/icons';
import { announceScreen } from '@/shared/ui/screenAnnouncer';
import { useAcceptsTaps } from '@/shared/ui/useAcceptsTaps';
import styles from './MoneyDone.module.css';

export interface MoneyDoneProps {
  /** What has happened, in one sentence. */
  title: string;
  /** A figure that rolls in above the details. */
  figure?: ReactNode;
  facts?: readonly Fact[];
  /** Below the details. */
  children?: ReactNode;
  /** A further way on, next to the closing button. */
  more?: { label: string; onClick: () => void; isBusy?: boolean };
  onClose: () => void;
}

/** The result of an act with money, on the whole screen. */
export function MoneyDone({ title, figure, facts = [], children, more, onClose }: MoneyDoneProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const acceptsTaps = useAcceptsTaps(true);
  useEffect(() => announceScreen(title), [title]);
  useEffect(() => heading.current?.focus(), []);
  return (
    <main id="main" className={styles.done}>
      <div className={styles.middle}>
        <span aria-hidden="true" className={styles.check}>
          <CheckIcon size={40} />
        </span>
        <h1 ref={heading} tabIndex={-1} className={styles.title}>
          {title}
        </h1>
        {figure && <div className={styles.figure}>{figure}</div>}
        {facts.length > 0 && (
          <div className={styles.facts}>
            <Facts facts={facts} />
          </div>
        )}
        {children && <div className={styles.facts}>{children}</div>}
      </div>
      <div className={styles.actions}>
        {more && (
          <Button tone="neutral" size="large" resting={!acceptsTaps} busy={more.isBusy ?? false} onClick={more.onClick}>
            {more.label}
          </Button>
        )}
        <Button size="large" resting={!acceptsTaps} onClick={onClose}>
          {action.confirm}
        </Button>
      </div>
    </main>
  );
}
