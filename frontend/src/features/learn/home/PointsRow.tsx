import { unitless } from '@/shared/format/number';
import { learnCopy } from '@/features/learn/copy';
import { learnHomeCopy } from './copy';
import styles from './LearnHome.module.css';

/** The member's balance of points. */
export function PointsRow({ points }: { points: number }) {
  return (
    <p className={styles.row}>
      <span className={styles.rowTitle}>{learnHomeCopy.points}</span>
      <span className={styles.rowPoints}>{learnCopy.points(unitless(points))}</span>
    </p>
  );
}
