import { unitless } from '@/shared/format/number';
import styles from './Community.module.css';
import { postCopy } from './copy';

/** The heart with its count. */
export function LikeButton({ isLike, likeCount, onToggle }: { isLike: boolean; likeCount: number; onToggle: () => void }) {
  return (
    <button type="button" className={`heart ${styles.count} ${styles.like}`} aria-pressed={isLike} aria-label={postCopy.likes(unitless(likeCount))} onClick={onToggle}>
      <span className="num">{unitless(likeCount)}</span>
    </button>
  );
}
