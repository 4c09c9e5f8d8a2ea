import { type RuntimeConfig, useRuntimeConfig } from '@/shared/api/runtimeConfig';
import { action } from '@/shared/copy/copy.shared';
import { practice } from '@/shared/copy/copy.practice';
import { Button } from './Button';
import styles from './PracticeSheet.module.css';
import { Sheet } from './Sheet';

export interface PracticeSheetProps {
  open: boolean;
  onClose: () => void;
}

/** Explains the label of practice prices: where they come from, when they move, and that no order leaves the app. */
export default function PracticeSheet({ open, onClose }: PracticeSheetProps) {
  const config = useRuntimeConfig();
  return (
    <Sheet
      open={open}
      title={practice.title}
      onClose={onClose}
      footer={
        <Button size="large" onClick={onClose}>
          {action.confirm}
        </Button>
      }
    >
      <dl className={styles.facts}>
        {factsOf(config).map(({ title, body }) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd>{body}</dd>
          </div>
        ))}
      </dl>
    </Sheet>
  );
}

function factsOf({ clock }: RuntimeConfig) {
  switch (clock) {
    case 'practice':
      return [practice.prices, practice.allDay, practice.money];
    case 'exchange':
      return [practice.prices, practice.exchangeHours, practice.money];
    case 'replay':
      return [practice.recorded, practice.money];
  }
}
