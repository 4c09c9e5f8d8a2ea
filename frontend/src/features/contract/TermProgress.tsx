import type { Contract } from '@/shared/api/types';
import styles from './Contracts.module.css';
import { daysUntil } from './contractDays';
import { contractCopy } from './copy';

/** How long the contract still runs; null once its term is over. */
export function timeLeft({ status, maturesOn }: Pick<Contract, 'status' | 'maturesOn'>): string | null {
  const days = status === 'ACTIVE' ? daysUntil(maturesOn, new Date()) : null;
  return days === null ? null : contractCopy.daysLeft(days);
}

/** How much of the term has passed. */
export function TermProgress({ contract: { monthsElapsed, term } }: { contract: Pick<Contract, 'monthsElapsed' | 'term'> }) {
  const elapsed = Math.min(monthsElapsed, term);
  return (
    <div
      role="progressbar"
      aria-label={contractCopy.progress(elapsed, term)}
      aria-valuemin={0}
      aria-valuemax={term}
      aria-valuenow={elapsed}
      className={styles.track}
    >
      <div className={styles.fill} style={{ transform: `scaleX(${term === 0 ? 1 : elapsed / term})` }} />
    </div>
  );
}
