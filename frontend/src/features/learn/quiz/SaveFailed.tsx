import { Button } from '@/shared/ui/Button';
import { quizCopy } from './copy';
import styles from './Deck.module.css';

/** The grading failed: it is repeated, or the answer is kept and sent later. */
export function SaveFailed({ isSaving, onRetry, onSkip }: { isSaving: boolean; onRetry: () => void; onSkip: () => void }) {
  return (
    <div className={`${styles.panel} ${styles.neutral}`} role="alert">
      <p className={styles.verdict}>{quizCopy.saveFailed}</p>
      <p className={styles.panelText}>{quizCopy.saveFailedBody}</p>
      <div className={styles.panelActions}>
        <Button tone="neutral" size="large" onClick={onSkip}>
          {quizCopy.skip}
        </Button>
        <Button size="large" busy={isSaving} onClick={onRetry}>
          {quizCopy.saveAgain}
        </Button>
      </div>
    </div>
  );
}
