import { useQuery } from '@tanstack/react-query';
import { unitless } from '@/shared/format/number';
import { ButtonLink } from '@/shared/ui/Button';
import { SectionError } from '@/shared/ui/Section';
import { learnPaths } from '@/features/learn/learnPaths';
import { dailyQuery } from '@/features/learn/learnQueries';
import { ArticlesSection } from './ArticlesSection';
import { learnHomeCopy } from './copy';
import styles from './HomeCards.module.css';

const SHOWN = 2;

/** Today's quiz on the home screen. Its height does not change while it loads. */
export function TodayQuizCard({ memberSid }: { memberSid: number }) {
  const { data, error, refetch } = useQuery(dailyQuery(memberSid));
  if (error && !data) return <SectionError onRetry={() => void refetch()} />;
  if (!data) return <div className={styles.card} aria-busy="true" />;
  const { done, total, isDone } = data.random;
  return (
    <section className={styles.card} aria-labelledby="home-quiz">
      <div className={styles.text}>
        <h2 id="home-quiz" className={styles.title}>
          {learnHomeCopy.today} <span className={styles.count}>{learnHomeCopy.of(done, total)}</span>
        </h2>
        <p className={styles.lead}>{isDone ? learnHomeCopy.allDone : learnHomeCopy.todayPoints(unitless(data.points), unitless(data.cap))}</p>
      </div>
      <ButtonLink to={isDone ? learnPaths.home : learnPaths.dailyQuiz} tone={isDone ? 'tint' : 'primary'}>
        {isDone ? learnHomeCopy.more : learnHomeCopy.start}
      </ButtonLink>
    </section>
  );
}

/** Articles to read next, on the home screen. */
export function ArticleCards({ memberSid }: { memberSid: number }) {
  return <ArticlesSection memberSid={memberSid} shown={SHOWN} hidesEmpty />;
}
