import type { CalendarDay } from '@/features/learn/learnTypes';
import styles from './Calendar.module.css';
import { calendarCopy } from './copy';
import { monthGrid } from './monthGrid';

type Mark = NonNullable<CalendarDay['streak']>;

const MARKS: readonly Mark[] = ['DONE', 'REST', 'FREEZE', 'REPAIRED', 'MISSED'];
const SIGNS: Record<Mark, string> = { DONE: '✓', REST: '–', FREEZE: '❄', REPAIRED: '↻', MISSED: '×' };

interface MonthProps {
  month: string;
  today: string;
  /** Null while loading. */
  days: readonly CalendarDay[] | null;
  chosen: string | null;
  onChoose: (day: string) => void;
}

/** A month as a table of days, each with a sign of what happened. */
export function Month({ month, today, days, chosen, onChoose }: MonthProps) {
  const byDate = new Map(days?.map((day) => [day.date, day]));
  return (
    <div aria-busy={days === null}>
      <table className={styles.table}>
        <thead>
          <tr>
            {calendarCopy.weekdays.map((name) => (
              <th key={name} scope="col" abbr={calendarCopy.weekday(name)}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {monthGrid(month).map((week, row) => (
            <tr key={row}>
              {week.map((date, column) => (
                <td key={column}>{date !== null && <Day date={date} day={byDate.get(date) ?? null} isToday={date === today} isLater={date > today} isChosen={date === chosen} onChoose={onChoose} />}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <ul className={styles.legend} aria-hidden="true">
        {MARKS.map((mark) => (
          <li key={mark}>
            <span className={`${styles.sign} ${styles[mark]}`}>{SIGNS[mark]}</span> {calendarCopy.legend[mark]}
          </li>
        ))}
      </ul>
    </div>
  );
}

interface DayProps {
  date: string;
  day: CalendarDay | null;
  isToday: boolean;
  isLater: boolean;
  isChosen: boolean;
  onChoose: (day: string) => void;
}

function Day({ date, day, isToday, isLater, isChosen, onChoose }: DayProps) {
  const mark = markOf(day);
  const number = Number(date.slice(8));
  return (
    <button
      type="button"
      className={styles.cell}
      aria-label={calendarCopy.day(Number(date.slice(5, 7)), number, mark === null ? calendarCopy.none : calendarCopy.legend[mark])}
      aria-current={isToday ? 'date' : undefined}
      aria-pressed={isChosen}
      disabled={isLater}
      onClick={() => onChoose(date)}
    >
      <span className={styles.number}>{number}</span>
      <span className={`${styles.sign} ${mark === null ? '' : styles[mark]}`}>{mark === null ? '' : SIGNS[mark]}</span>
    </button>
  );
}

/** A day that is not judged yet counts as studied once a set is complete. */
function markOf(day: CalendarDay | null): Mark | null {
  if (day === null) return null;
  return day.streak ?? (day.sets > 0 ? 'DONE' : null);
}
