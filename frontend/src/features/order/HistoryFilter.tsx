import { haptic } from '@/shared/platform/haptics';
import { Tabs } from '@/shared/ui/Tabs';
import { historyCopy } from './copy';
import { type PeriodName, PERIODS } from './historyPeriod';
import { HISTORY_TYPES, type HistoryPeriod } from './orderApi';
import type { HistoryChoice } from './OrderHistory';
import styles from './OrderHistory.module.css';

const TYPES = HISTORY_TYPES.map((value) => ({ value, label: historyCopy.types[value] }));

interface HistoryFilterProps {
  choice: HistoryChoice;
  /** The days the choice stands for now. */
  shown: HistoryPeriod;
  /** The chosen days end before they begin. */
  isBackwards: boolean;
  /** The id of what is filtered. */
  panelId: string;
  onChoice: (choice: HistoryChoice) => void;
}

/** Which orders and which days are shown. */
export function HistoryFilter({ choice, shown, isBackwards, panelId, onChoice }: HistoryFilterProps) {
  const pickPeriod = (period: PeriodName) =>
    onChoice({ ...choice, period, ...(period === 'custom' ? { from: shown.startDate, to: shown.endDate } : { from: null, to: null }) });
  return (
    <div className={styles.filter}>
      <Tabs
        look="chips"
        label={historyCopy.typesLabel}
        options={TYPES}
        value={choice.type}
        onChange={(type) => onChoice({ ...choice, type })}
        panelId={panelId}
      />
      <Chips label={historyCopy.periodLabel} values={PERIODS} names={historyCopy.periods} value={choice.period} onPick={pickPeriod} />
      {choice.period === 'custom' && (
        <div className={styles.days}>
          <Day label={historyCopy.from} value={choice.from} onChange={(from) => onChoice({ ...choice, from })} />
          <Day label={historyCopy.to} value={choice.to} onChange={(to) => onChoice({ ...choice, to })} />
          {isBackwards && (
            <p role="alert" className={styles.backwards}>
              {historyCopy.backwards}
            </p>
          )}
        </div>
      )}
    </div>
  );
}

function Day({ label, value, onChange }: { label: string; value: string | null; onChange: (day: string) => void }) {
  return (
    <label className={styles.day}>
      <span>{label}</span>
      <input type="date" aria-label={label} value={value ?? ''} onChange={(event) => event.target.value !== '' && onChange(event.target.value)} />
    </label>
  );
}

interface ChipsProps<Value extends string> {
  label: string;
  values: readonly Value[];
  names: Readonly<Record<Value, string>>;
  value: Value;
  onPick: (value: Value) => void;
}

function Chips<Value extends string>({ label, values, names, value, onPick }: ChipsProps<Value>) {
  return (
    <div role="group" aria-label={label} className={styles.chips}>
      {values.map((known) => (
        <button
          key={known}
          type="button"
          aria-pressed={known === value}
          className={styles.chip}
          onClick={() => {
            haptic('selection');
            onPick(known);
          }}
        >
          <span>{names[known]}</span>
        </button>
      ))}
    </div>
  );
}
