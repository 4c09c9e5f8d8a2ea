import { ChoiceChips } from '@/shared/ui/ChoiceChips';
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
        <div className={styles.days}>
          <Day label={profitCopy.from} value={choice.from} onChange={(from) => onChoice({ ...choice, from })} />
          <Day label={profitCopy.to} value={choice.to} onChange={(to) => onChoice({ ...choice, to })} />
          {isBackwards && (
            <p role="alert" className={styles.backwards}>
              {profitCopy.backwards}
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
