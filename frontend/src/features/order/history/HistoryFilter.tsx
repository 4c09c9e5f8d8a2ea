import { ChoiceChips } from '@/shared/ui/ChoiceChips';
import { DayRange } from '@/shared/ui/DayRange';
import { Tabs } from '@/shared/ui/Tabs';
import { historyCopy } from '@/features/order/copy';
import { HISTORY_TYPES, type HistoryPeriod } from '@/features/order/orderApi';
import { type PeriodName, PERIODS } from './historyPeriod';
import type { HistoryChoice } from './OrderHistory';
import styles from './OrderHistory.module.css';

const TYPES = HISTORY_TYPES.map((value) => ({ value, label: historyCopy.types[value] }));

interface HistoryFilterProps {
  choice: HistoryChoice;
  /** The days of the current filter. */
  shown: HistoryPeriod;
  /** The custom period ends before it begins. */
  isBackwards: boolean;
  /** The id of the filtered list. */
  panelId: string;
  onChoice: (choice: HistoryChoice) => void;
}

export function HistoryFilter({ choice, shown, isBackwards, panelId, onChoice }: HistoryFilterProps) {
  const pickPeriod = (period: PeriodName) =>
    onChoice({ ...choice, period, ...(period === 'custom' ? { from: shown.startDate ?? null, to: shown.endDate ?? null } : { from: null, to: null }) });
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
      <ChoiceChips label={historyCopy.periodLabel} values={PERIODS} names={historyCopy.periods} value={choice.period} onChange={pickPeriod} />
      {choice.period === 'custom' && (
        <DayRange from={choice.from} to={choice.to} isBackwards={isBackwards} onChange={(days) => onChoice({ ...choice, ...days })} />
      )}
    </div>
  );
}
