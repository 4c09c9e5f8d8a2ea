import { useQueries } from '@tanstack/react-query';
import { Link } from 'react-router';
import { learnPaths } from '@/features/learn/learnPaths';
import { CheckIcon } from '@/shared/ui/icons';
import { calendarQuery } from '@/features/learn/learnQueries';
import type { Streak } from '@/features/learn/learnTypes';
import { learnHomeCopy } from './copy';
import styles from './LearnHome.module.css';
import { kstDay, monthsOf, weekOf } from './week';

/** The days in a row and the dots of this week; leads to the calendar. */
export function StreakCard({ memberSid, streak }: { memberSid: number; streak: Streak | null }) {
  const now = new Date();
  const week = weekOf(now);
  const today = kstDay(now);
  const calendars = useQueries({ queries: monthsOf(week).map((month) => calendarQuery(memberSid, month)) });
  const studied = new Set(calendars.flatMap(({ data }) => data?.days ?? []).flatMap(({ date, sets }) => (sets > 0 ? [date] : [])));
  const count = week.filter((day) => studied.has(day)).length;
  return (
    <Link to={learnPaths.calendar} className={styles.streak}>
      <span className={styles.streakHead}>
        <Flame isLit={streak !== null && streak.current > 0} />
        <span>
          <span className={styles.streakTitle}>{streak !== null && streak.current > 0 ? learnHomeCopy.streak(streak.current) : learnHomeCopy.noStreak}</span>
          <span className={styles.streakLead}>{streak?.atRiskUntil ? learnHomeCopy.atRisk : learnHomeCopy.week(count)}</span>
        </span>
      </span>
      <span className={styles.week}>
        {week.map((day, index) => (
          <span key={day} className={styles.weekday} data-today={day === today || undefined}>
            <span aria-hidden="true">{learnHomeCopy.weekdays[index]}</span>
            <span className={`${styles.weekDot} ${studied.has(day) ? styles.weekDone : ''}`}>
              {studied.has(day) && <CheckIcon size={16} />}
              <span className="sr-only">{(studied.has(day) ? learnHomeCopy.dayDone : learnHomeCopy.dayOpen)(learnHomeCopy.weekdays[index] ?? '')}</span>
            </span>
          </span>
        ))}
      </span>
    </Link>
  );
}

function Flame({ isLit }: { isLit: boolean }) {
  return (
    <svg width={40} height={40} viewBox="0 0 24 24" aria-hidden="true" className={isLit ? styles.flame : styles.flameOut}>
      <path d="M12.6 2.5c.6 3-1.2 4.5-2.7 6.2-.4-1-.9-1.6-1.7-2.2C6.3 9 4.5 11.3 4.5 14.3a7.5 7.5 0 0 0 15 0c0-4.7-3.3-8.6-6.9-11.8Zm-.4 16.8a3.3 3.3 0 0 1-3.3-3.3c0-1.7 1.3-2.7 2.4-4.2 1.9 1.4 4.2 2.4 4.2 4.4a3.2 3.2 0 0 1-3.3 3.1Z" />
    </svg>
  );
}
