import { field } from '@/shared/copy/copy.controls';
import { haptic } from '@/shared/platform/haptics';
import styles from './QtyChips.module.css';

const QTY_RATIOS = [10, 25, 50, 100] as const;
export type QtyRatio = (typeof QTY_RATIOS)[number];

/** Shares of the maximum quantity: 10%, 25%, 50%, all. */
export function QtyChips({ selected, onPick }: { selected: QtyRatio | null; onPick: (percent: QtyRatio) => void }) {
  return (
    <div role="group" aria-label={field.ratios} className={styles.chips}>
      {QTY_RATIOS.map((percent) => (
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
