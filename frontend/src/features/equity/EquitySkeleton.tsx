import { Bone } from '@/shared/ui/Skeleton';
import styles from './Equity.module.css';

/** The chart and its rates while they load, in the same boxes, so that nothing moves when they come. */
export function EquitySkeleton() {
  return (
    <div aria-busy="true">
      <div aria-hidden="true">
        <p className={styles.shown}>
          <span className={styles.worth}>
            <Bone width="45%" height={22} />
          </span>
          <span className={styles.when} />
        </p>
        <div className={styles.plot}>
          <Bone width="100%" height={128} radius={12} />
        </div>
        <p className={styles.axis}>
          <Bone width="100%" height={18} />
        </p>
        <p className={styles.legend}>
          <Bone width="100%" height={18} />
        </p>
        <div className={`${styles.rates} ${styles.rateBones}`} />
        <p className={`${styles.note} ${styles.noteBones}`} />
      </div>
    </div>
  );
}
