import { ChoiceChips } from '@/shared/ui/ChoiceChips';
import { DayRange } from '@/shared/ui/DayRange';
import { Tabs } from '@/shared/ui/Tabs';
import { profitCopy } from './copy';
import { customDays, type ProfitChoice } from './profitChoice';
import { PROFIT_GROUPS, PROFIT_PERIODS, PROFIT_TYPES, type ProfitPeriod } from './profitQueries';
import styles from './Profit.module.css';

const GROUPS = PROFIT_GROUPS.map((value) => ({ value, label: profitCopy.groups[value] }));

interface ProfitFilterBarProps {
  choice: ProfitChoice;
  now: Date;
  /** Whether the custom period ends before it begins. */
  isBackwards: boolean;
  /** The id of the filtered list. */
  panelId: string;
  /** In a competition there are stocks and ETFs alone, and the chips are left out. */
  hasTypes: boolean;
  onChoice: (choice: ProfitChoice) => void;
}

export function ProfitFilterBar({ choice, now, isBackwards, panelId, hasTypes, onChoice }: ProfitFilterBarProps) {
  const pickPeriod = (period: ProfitPeriod) => {
    const { startDate, endDate } = customDays(choice, now);
    onChoice({ ...choice, period, ...(period === 'custom' ? { from: startDate, to: endDate } : { from: null, to: null }) });
  };
  return (
    <div className={styles.filter}>
      <div className={styles.groups}>
        <Tabs
          label={profitCopy.groupsLabel}
          options={GROUPS}
          value={choice.groupBy}
          onChange={(groupBy) => onChoice({ ...choice, groupBy })}
          panelId={panelId}
        />
      </div>
      {hasTypes && (
        <ChoiceChips
          label={profitCopy.typesLabel}
          values={PROFIT_TYPES}
          names={profitCopy.types}
          value={choice.type}
          onChange={(type) => onChoice({ ...choice, type })}
        />
      )}
      <ChoiceChips label={profitCopy.periodLabel} values={PROFIT_PERIODS} names={profitCopy.periods} value={choice.period} onChange={pickPeriod} />
      {choice.period === 'custom' && (
        <DayRange from={choice.from} to={choice.to} isBackwards={isBackwards} onChange={(days) => onChoice({ ...choice, ...days })} />
      )}
    </div>
  );
}
