import { Bone, RowsSkeleton } from '@/shared/ui/Skeleton';
import styles from './Trend.module.css';

const ROWS = 8;

/** The shapes of a trend: the index, the bar below it, eight rows. */
export function TrendSkeleton() {
  return (
    <div aria-busy="true">
      <div aria-hidden="true" className={styles.bones}>
        <Bone width={80} height={22} />
        <Bone width="50%" height={38} />
        <Bone width="35%" height={22} />
        <Bone width="100%" height={10} radius={5} />
      </div>
      <RowsSkeleton rows={ROWS} />
    </div>
  );
}
