import type { ReactNode } from 'react';
import type { CandleType } from '@/shared/api/types';
import { haptic } from '@/shared/platform/haptics';
import { type Choice, CHOICES, type Interval } from '@/shared/ui/chart/intervals';
import { CandleIcon, LineIcon } from './chartIcons';
import { Tabs } from '@/shared/ui/Tabs';
import styles from './ChartBox.module.css';
import { chart } from './copy';

interface ChartControlsProps {
  period: CandleType;
  onPeriod: (period: CandleType) => void;
  isLine: boolean;
  onLine: (isLine: boolean) => void;
  /** The intervals of candles. */
  interval: Interval;
  onInterval: (interval: Choice) => void;
  panelId: string;
  /** Further buttons of the row. */
  children?: ReactNode;
}

const PERIODS = (Object.keys(chart.periods) as CandleType[]).map((value) => ({ value, label: chart.periods[value] }));

/** The period, the style (line or candles), and the interval of candles. */
export function ChartControls({ period, onPeriod, isLine, onLine, interval, onInterval, panelId, children }: ChartControlsProps) {
  return (
    <>
      {!isLine && (
        <div role="group" aria-label={chart.intervalLabel} className={styles.intervals}>
          <span className={styles.label} aria-hidden="true">
            {chart.intervalWord}
          </span>
          {CHOICES.map((choice) => (
            <button
              key={choice}
              type="button"
              className={styles.interval}
              aria-pressed={choice === interval}
              onClick={() => {
                haptic('selection');
                onInterval(choice);
              }}
            >
              <span>{chart.intervals[choice]}</span>
            </button>
          ))}
        </div>
      )}
      <div className={styles.controls}>
        <span className={styles.label} aria-hidden="true">
          {chart.periodWord}
        </span>
        <Tabs label={chart.periodLabel} options={PERIODS} value={period} onChange={onPeriod} panelId={panelId} />
        <button type="button" className={styles.tool} aria-label={isLine ? chart.candle : chart.line} onClick={() => onLine(!isLine)}>
          {isLine ? <CandleIcon /> : <LineIcon />}
        </button>
        {children}
      </div>
    </>
  );
}
