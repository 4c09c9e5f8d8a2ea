import { dayRange } from '@/shared/copy/copy.days';
import styles from './DayRange.module.css';

interface DayRangeProps {
  /** Days as `YYYY-MM-DD`. */
  from: string | null;
  to: string | null;
  /** Whether the range ends before it begins. */
  isBackwards: boolean;
  onChange: (days: { from: string } | { to: string }) => void;
}

export function DayRange({ from, to, isBackwards, onChange }: DayRangeProps) {
  return (
    <div className={styles.days}>
      <Day label={dayRange.from} value={from} onChange={(day) => onChange({ from: day })} />
      <Day label={dayRange.to} value={to} onChange={(day) => onChange({ to: day })} />
      {isBackwards && (
        <p role="alert" className={styles.backwards}>
          {dayRange.backwards}
        </p>
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
