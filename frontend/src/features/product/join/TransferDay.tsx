import { useId } from 'react';
import { ChevronDownIcon } from '@/shared/ui/icons';
import { joinCopy } from './copy';
import styles from './Join.module.css';

const DAYS = Array.from({ length: 31 }, (_, index) => index + 1);

/** The day of the month on which savings are paid. */
export function TransferDay({ value, onChange }: { value: number; onChange: (day: number) => void }) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={styles.label}>
        {joinCopy.transferDay}
      </label>
      <div className={styles.select}>
        <select id={id} aria-describedby={`${id}-note`} value={value} onChange={({ target }) => onChange(Number(target.value))}>
          {DAYS.map((day) => (
            <option key={day} value={day}>
              {joinCopy.day(day)}
            </option>
          ))}
        </select>
        <ChevronDownIcon size={18} />
      </div>
      <p id={`${id}-note`} className={styles.note}>
        {joinCopy.transferDayNote}
      </p>
    </div>
  );
}
