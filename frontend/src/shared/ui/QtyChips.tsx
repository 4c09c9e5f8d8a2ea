import { field } from '@/shared/copy/copy.shared';
import { haptic } from '@/shared/platform/haptics';
import styles from './Amount.module.css';

const RATIOS = [10, 25, 50, 100] as const;
export type QtyRatio = (typeof RATIOS)[number];

/** Shares of the most that can be bought or sold: 10%, 25%, 50%, all of it. */
export function QtyChips({ selected, onPick }: { selected: QtyRatio | null; onPick: (percent: QtyRatio) => void }) {
  return (
    <div className={styles.chips}>
      {RATIOS.map((percent) => (
        <button
          key={percent}
          type="button"
          aria-pressed={selected === percent}
          className={styles.chip}
          onClick={() => {
            haptic('selection');
            onPick(percent);
          }}
        >
          {percent === 100 ? field.max : field.ratio(percent)}
        </button>
      ))}
    </div>
  );
}
