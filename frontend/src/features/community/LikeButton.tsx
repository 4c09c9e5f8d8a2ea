import { unitless } from '@/shared/format/number';
import { Count } from './Count';
import styles from './Community.module.css';
import { postCopy } from './copy';

/** The heart with its count. */
export function LikeButton({ isLike, likeCount, onToggle }: { isLike: boolean; likeCount: number; onToggle: () => void }) {
  return (
    <button type="button" className={`heart ${styles.count} ${styles.like}`} aria-pressed={isLike} onClick={onToggle}>
      <Count value={likeCount} spoken={postCopy.likes(unitless(likeCount))} />
    </button>
  );
}
