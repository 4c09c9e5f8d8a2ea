import { market } from '@/shared/copy/copy.shared';
import { haptic } from '@/shared/platform/haptics';
import styles from './HeartButton.module.css';

/** The like switch of an instrument. Without `onToggle` it does nothing. */
export function HeartButton({ name, isLiked, onToggle }: { name: string; isLiked: boolean; onToggle?: () => void }) {
  return (
    <button
      type="button"
      className={`heart ${styles.heart}`}
      aria-pressed={isLiked}
      aria-label={isLiked ? market.unlike(name) : market.like(name)}
      onClick={() => {
        if (!onToggle) return;
        haptic('selection');
        onToggle();
      }}
    />
  );
}
