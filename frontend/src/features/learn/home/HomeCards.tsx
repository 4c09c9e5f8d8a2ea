import { useQuery } from '@tanstack/react-query';
import { unitless } from '@/shared/format/number';
import { ButtonLink } from '@/shared/ui/Button';
import { Section, SectionError } from '@/shared/ui/Section';
import { ArticleRow } from '@/features/learn/article/ArticleRow';
import { learnPaths } from '@/features/learn/learnPaths';
import { dailyQuery, recommendedQuery } from '@/features/learn/learnQueries';
import { learnHomeCopy } from './copy';
import styles from './HomeCards.module.css';
import { RowsBones } from './RowsBones';

/** The first page of recommendations, as the tab of learning fetches it. */
const RECOMMENDED = 10;
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
  const { data, error, refetch } = useQuery(recommendedQuery(memberSid, RECOMMENDED));
  const articles = data?.rows.slice(0, SHOWN);
  if (articles?.length === 0) return null;
  return (
    <Section title={learnHomeCopy.articles} all={learnPaths.articles}>
      {articles && (
        <ul>
          {articles.map((article) => (
            <li key={article.articleSid}>
              <ArticleRow article={article} />
            </li>
          ))}
        </ul>
      )}
      {!articles && (error ? <SectionError onRetry={() => void refetch()} /> : <RowsBones rows={SHOWN} />)}
    </Section>
  );
}
