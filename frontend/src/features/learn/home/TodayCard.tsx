import { useQuery } from '@tanstack/react-query';
import { unitless } from '@/shared/format/number';
import { learnPaths } from '@/features/learn/learnPaths';
import { ButtonLink } from '@/shared/ui/Button';
import { SectionError } from '@/shared/ui/Section';
import { Bone } from '@/shared/ui/Skeleton';
import { dailyQuery } from '@/features/learn/learnQueries';
import { useUnsentAnswers } from '@/features/learn/quiz/unsentAnswers';
import { quizCopy } from '@/features/learn/quiz/copy';
import { learnHomeCopy } from './copy';
import styles from './LearnHome.module.css';
import { Ring } from './Ring';

/** Today's five questions: how many are answered, what they brought, and the way in. */
export function TodayCard({ memberSid }: { memberSid: number }) {
  const { data, error, refetch } = useQuery(dailyQuery(memberSid));
  const waiting = useUnsentAnswers().filter((answer) => answer.memberSid === memberSid).length;
  if (!data) {
    if (error) return <SectionError onRetry={() => void refetch()} />;
    return (
      <div className={styles.card} aria-busy="true">
        <div aria-hidden="true" className={styles.today}>
          <Bone width={88} height={88} radius={44} />
          <span className={styles.todayText}>
            <Bone width="60%" height={24} />
            <Bone width="80%" height={18} />
          </span>
        </div>
        <Bone width="100%" height={52} radius={12} />
      </div>
    );
  }
  const { done, total, isDone } = data.random;
  return (
    <section className={styles.card} aria-labelledby="today-quiz">
      <div className={styles.today}>
        <Ring done={done} total={total} />
        <div className={styles.todayText}>
          <h2 id="today-quiz" className={styles.todayTitle}>
            {isDone ? learnHomeCopy.allDone : learnHomeCopy.today}
          </h2>
          <p className={styles.todayLead}>{isDone ? learnHomeCopy.tomorrow : learnHomeCopy.todayLead}</p>
          <p className={styles.todayPoints}>{learnHomeCopy.todayPoints(unitless(data.points), unitless(data.cap))}</p>
        </div>
      </div>
      {waiting > 0 && (
        <p className={styles.waiting} role="status">
          {quizCopy.waiting(waiting)}
        </p>
      )}
      <ButtonLink to={learnPaths.dailyQuiz} size="large" block tone={isDone ? 'tint' : 'primary'}>
        {isDone ? learnHomeCopy.seeResult : done > 0 ? learnHomeCopy.resume : learnHomeCopy.start}
      </ButtonLink>
    </section>
  );
}
