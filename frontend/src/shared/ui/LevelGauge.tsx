import { levelCopy } from '@/shared/copy/copy.level';
import type { WealthLevel } from '@/shared/format/level';
import styles from './Level.module.css';

/** The progress to the next wealth level. */
export function LevelGauge({ level }: { level: WealthLevel }) {
  const percent = Math.floor(level.gaugePercent);
  return (
    <div
      role="meter"
      aria-label={level.toNextWon === null ? levelCopy.top(level.name) : levelCopy.toNext(level.name, percent)}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      className={styles.track}
    >
      <div className={styles.fill} style={{ transform: `scaleX(${percent / 100})` }} />
    </div>
  );
}
