import { Bone } from '@/shared/ui/Skeleton';
import styles from './LearnHome.module.css';

/** Rows that are loading. */
export function LearnRowsSkeleton({ rows }: { rows: number }) {
  return (
    <div aria-busy="true">
      <div aria-hidden="true">
        {Array.from({ length: rows }, (_, row) => (
          <div key={row} className={styles.row}>
            <Bone width="40%" height={20} />
            <Bone width="24%" height={20} />
          </div>
        ))}
      </div>
    </div>
  );
}
