import styles from '@/features/community/Community.module.css';
import { Bone } from '@/shared/ui/Skeleton';

export function CardsSkeleton({ cards }: { cards: number }) {
  return (
    <div aria-busy="true">
      <div aria-hidden="true">
        {Array.from({ length: cards }, (_, index) => (
          <div key={index} className={styles.card}>
            <div className={styles.author}>
              <Bone width={40} height={40} radius={20} />
              <div className={styles.boneLines}>
                <Bone width={120} height={18} />
                <Bone width={64} height={14} />
              </div>
            </div>
            <div className={styles.boneLines}>
              <Bone width="100%" height={16} />
              <Bone width="92%" height={16} />
              <Bone width="60%" height={16} />
            </div>
          </div>
        ))}
      </div>
    </div>
  );
}
