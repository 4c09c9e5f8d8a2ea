import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { paths } from '@/shared/paths';
import { BackIcon, ChevronIcon } from '@/shared/ui/icons';
import { Facts } from '@/shared/ui/Facts';
import { unitless } from '@/shared/format/number';
import { Section } from '@/shared/ui/Section';
import { ErrorState } from '@/shared/ui/States';
import { TopBar } from '@/shared/ui/TopBar';
import { learnCopy } from '@/features/learn/copy';
import { kstDay } from '@/features/learn/home/week';
import { calendarQuery, progressQuery } from '@/features/learn/learnQueries';
import type { CalendarDay, Streak } from '@/features/learn/learnTypes';
import styles from './Calendar.module.css';
import { calendarCopy } from './copy';
import { Month } from './Month';
import { shiftMonth } from './monthGrid';
import { RestDayRow } from './RestDayRow';

/** What was learned on each day of a month, the streak, and its rest day. */
export function CalendarPage({ memberSid }: { memberSid: number }) {
  const today = kstDay(new Date());
  const [month, setMonth] = useState(today.slice(0, 7));
  const [chosen, setChosen] = useState<string | null>(today);
  const { data, error, refetch } = useQuery(calendarQuery(memberSid, month));
  const { data: progress } = useQuery(progressQuery(memberSid));
  const [year = '', number = ''] = month.split('-');
  const day = data?.days.find(({ date }) => date === chosen) ?? null;
  const show = (next: string) => {
    setMonth(next);
    setChosen(next === today.slice(0, 7) ? today : null);
  };
  return (
    <>
      <TopBar title={calendarCopy.screen} backTo={paths.learn} />
      <main id="main">
        <div className={styles.head}>
          <button type="button" className={styles.turn} aria-label={calendarCopy.previous} onClick={() => show(shiftMonth(month, -1))}>
            <BackIcon size={20} />
          </button>
          <h2 className={styles.month} aria-live="polite">
            {calendarCopy.month(Number(year), Number(number))}
          </h2>
          <button type="button" className={styles.turn} aria-label={calendarCopy.next} disabled={month >= today.slice(0, 7)} onClick={() => show(shiftMonth(month, 1))}>
            <ChevronIcon size={20} />
          </button>
        </div>
        {error && !data ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : (
          <Month month={month} today={today} days={data?.days ?? null} chosen={chosen} onChoose={setChosen} />
        )}
        {chosen !== null && data && <DayFacts date={chosen} day={day} />}
        {progress && <StreakFacts streak={progress.streak} />}
        {progress && <RestDayRow memberSid={memberSid} streak={progress.streak} />}
      </main>
    </>
  );
}

function DayFacts({ date, day }: { date: string; day: CalendarDay | null }) {
  return (
    <section className={styles.day} aria-live="polite">
      <h3 className={styles.dayTitle}>{calendarCopy.dayTitle(Number(date.slice(5, 7)), Number(date.slice(8)))}</h3>
      {day === null ? (
        <p className={styles.help}>{calendarCopy.none}</p>
      ) : (
        <Facts
          facts={[
            [calendarCopy.answered, calendarCopy.count(unitless(day.answered))],
            [calendarCopy.correct, calendarCopy.count(unitless(day.correct))],
            [calendarCopy.sets, calendarCopy.count(unitless(day.sets))],
            [calendarCopy.articles, calendarCopy.count(unitless(day.articles))],
            [calendarCopy.points, learnCopy.points(unitless(day.points))],
          ]}
        />
      )}
    </section>
  );
}

function StreakFacts({ streak: { current, best, freezes } }: { streak: Streak }) {
  return (
    <Section title={learnCopy.streak}>
      <div className={styles.facts}>
        <Facts
          facts={[
            [calendarCopy.current, calendarCopy.days(unitless(current))],
            [calendarCopy.best, calendarCopy.days(unitless(best))],
            [calendarCopy.freezes, calendarCopy.count(unitless(freezes))],
          ]}
        />
        <p className={styles.help}>{calendarCopy.freezesHelp}</p>
      </div>
    </Section>
  );
}
