import { learnHomeCopy } from './copy';
import styles from './LearnHome.module.css';

const SIZE = 88;
const RADIUS = 38;
const CIRCLE = 2 * Math.PI * RADIUS;

/** A ring that closes with the answered questions. */
export function Ring({ done, total }: { done: number; total: number }) {
  const share = total > 0 ? Math.min(1, done / total) : 0;
  return (
    <div className={styles.ring} role="img" aria-label={learnHomeCopy.ring(done, total)}>
      <svg width={SIZE} height={SIZE} viewBox={`0 0 ${SIZE} ${SIZE}`} aria-hidden="true">
        <circle cx={SIZE / 2} cy={SIZE / 2} r={RADIUS} className={styles.ringTrack} />
        {share > 0 && (
          <circle
            cx={SIZE / 2}
            cy={SIZE / 2}
            r={RADIUS}
            className={share === 1 ? styles.ringDone : styles.ringFill}
            strokeDasharray={`${CIRCLE * share} ${CIRCLE}`}
            transform={`rotate(-90 ${SIZE / 2} ${SIZE / 2})`}
          />
        )}
      </svg>
      <span className={styles.ringText} aria-hidden="true">
        {learnHomeCopy.of(done, total)}
      </span>
    </div>
  );
}
