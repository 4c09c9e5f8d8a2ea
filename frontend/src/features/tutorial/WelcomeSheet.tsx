import { bigWon } from '@/shared/format/bigWon';
import { Button } from '@/shared/ui/Button';
import { RollingNumber } from '@/shared/ui/RollingNumber';
import { Sheet } from '@/shared/ui/Sheet';
import { welcomeCopy } from './copy';
import styles from './Tutorial.module.css';

/** Shows the starting money. */
export function WelcomeSheet({ open, moneyWon, onClose }: { open: boolean; moneyWon: number; onClose: () => void }) {
  return (
    <Sheet
      open={open}
      title={welcomeCopy.title}
      onClose={onClose}
      footer={
        <Button size="large" onClick={onClose}>
          {welcomeCopy.close}
        </Button>
      }
    >
      <p className={styles.money}>
        <RollingNumber>{bigWon(moneyWon)}</RollingNumber>
      </p>
      <p className={styles.moneyBody}>{welcomeCopy.body}</p>
    </Sheet>
  );
}
