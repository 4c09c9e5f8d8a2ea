import { type ReactNode, Suspense, useId, useMemo, useState } from 'react';
import { action } from '@/shared/copy/copy.shared';
import { haptic } from '@/shared/platform/haptics';
import { useThemeName } from '@/shared/platform/theme';
import { CloseIcon } from '@/shared/ui/icons';
import { useModal } from '@/shared/ui/useModal';
import { AVERAGES, type Average, averageColor, type Studies } from './averages';
import styles from './ChartScreen.module.css';
import { chartScreen } from './copy';
import LightChart, { type LightChartProps } from './LightChart';

interface ChartScreenProps {
  open: boolean;
  onClose: () => void;
  name: string;
  /** Null while there is nothing to draw; `state` then says why. */
  chart: Omit<LightChartProps, 'studies' | 'fills'> | null;
  /** Remounts the canvas when it changes. */
  chartKey: string;
  state: ReactNode;
  /** The period and style controls, as next to the small chart. */
  controls: ReactNode;
}

/** The chart on the whole screen, upright or rotated, with volumes and moving averages. */
export default function ChartScreen({ open, onClose, name, chart, chartKey, state, controls }: ChartScreenProps) {
  const { ref, isPresent } = useModal(open, onClose);
  const [averages, setAverages] = useState<readonly Average[]>(AVERAGES);
  const studies = useMemo<Studies>(() => ({ averages, volume: true }), [averages]);
  const theme = useThemeName();
  const titleId = useId();
  if (!isPresent) return null;

  const toggle = (average: Average) => {
    haptic('selection');
    setAverages(AVERAGES.filter((known) => (known === average ? !averages.includes(known) : averages.includes(known))));
  };

  return (
    <dialog ref={ref} className={styles.screen} aria-labelledby={titleId}>
      <header className={styles.header}>
        <h2 id={titleId} className={styles.title}>
          {chartScreen.title(name)}
        </h2>
        <div role="group" aria-label={chartScreen.averages} className={styles.averages}>
          {AVERAGES.map((average) => (
            <button
              key={average}
              type="button"
              className={styles.average}
              aria-label={chartScreen.averageLabel(average)}
              aria-pressed={averages.includes(average)}
              onClick={() => toggle(average)}
            >
              <span>
                <i aria-hidden="true" style={{ background: averageColor(theme, average) }} />
                {chartScreen.average(average)}
              </span>
            </button>
          ))}
        </div>
        <button type="button" className={styles.close} aria-label={action.close} onClick={onClose}>
          <CloseIcon />
        </button>
      </header>
      <div className={styles.body}>
        {chart ? (
          <Suspense fallback={null}>
            <LightChart key={chartKey} {...chart} studies={studies} fills />
          </Suspense>
        ) : (
          state
        )}
      </div>
      <div className={styles.controls}>{controls}</div>
    </dialog>
  );
}
