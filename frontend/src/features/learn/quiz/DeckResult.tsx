import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useMemberSid } from '@/shared/api/session';
import { unitless } from '@/shared/format/number';
import { paths } from '@/shared/paths';
import { learnPaths } from '@/features/learn/learnPaths';
import { BottomCTA } from '@/shared/ui/BottomCTA';
import { ButtonLink } from '@/shared/ui/Button';
import { Facts } from '@/shared/ui/Facts';
import { CheckIcon, ClockIcon, CloseIcon } from '@/shared/ui/icons';
import { RollingNumber } from '@/shared/ui/RollingNumber';
import { ShareButton } from '@/shared/ui/ShareButton';
import { TopBar } from '@/shared/ui/TopBar';
import { Celebration } from '@/features/learn/Celebration';
import { learnCopy } from '@/features/learn/copy';
import { type Deck, progressQuery } from '@/features/learn/learnQueries';
import type { Quiz } from '@/features/learn/learnTypes';
import { quizCopy } from './copy';
import styles from './Deck.module.css';
import { WrongSheet } from './WrongSheet';

interface DeckResultProps {
  deck: Deck;
  quizzes: readonly Quiz[];
  /** Answers that are not graded yet. */
  waitingCount: number;
  /** Points for the whole set, as told with the last answer of this visit. */
  bonus: number;
  level: ReactNode;
}

/** How a deck went: right answers, points, and what the member has done so far. */
export function DeckResult({ deck, quizzes, waitingCount, bonus, level }: DeckResultProps) {
  const memberSid = useMemberSid();
  const { data: progress } = useQuery({ ...progressQuery(memberSid ?? 0), enabled: memberSid !== null });
  const [isReviewing, setReviewing] = useState(false);
  const correct = quizzes.filter(({ isCorrect }) => isCorrect === true).length;
  const wrong = quizzes.filter(({ isCorrect }) => isCorrect === false);
  const points = quizzes.reduce((sum, { point }) => sum + (point ?? 0), 0) + bonus;
  return (
    <>
      <TopBar title={quizCopy.resultTitle} backTo={paths.learn} actions={<ShareButton name={quizCopy.share(correct, quizzes.length)} />} />
      <main id="main">
        {waitingCount === 0 && correct > 0 && <Celebration />}
        <section className={styles.result} aria-label={quizCopy.title[deck.kind]}>
          <p className={styles.score}>{quizCopy.outOf(quizzes.length)}</p>
          <p className={styles.scoreTitle}>{quizCopy.correctCount(correct)}</p>
          <Dots quizzes={quizzes} />
          {points > 0 && (
            <p className={styles.total}>
              <RollingNumber>{learnCopy.plusPoints(unitless(points))}</RollingNumber>
            </p>
          )}
          {bonus > 0 && <p className={styles.bonus}>{quizCopy.bonus(unitless(bonus))}</p>}
          {points === 0 && waitingCount === 0 && <p className={styles.bonus}>{quizCopy.noPoints}</p>}
          {waitingCount > 0 && (
            <p className={styles.bonus} role="status">
              {quizCopy.waiting(waitingCount)}
            </p>
          )}
        </section>
        {wrong.length > 0 && (
          <button type="button" className={styles.again} onClick={() => setReviewing(true)}>
            {quizCopy.wrongAgain}
          </button>
        )}
        {progress && (
          <div className={styles.facts}>
            <Facts
              facts={[
                [quizCopy.tried, quizCopy.count(unitless(progress.stats.triedQuizCount))],
                [quizCopy.correctTotal, quizCopy.count(unitless(progress.stats.correctQuizCount))],
                [quizCopy.streak, quizCopy.days(unitless(progress.streak.current))],
              ]}
            />
          </div>
        )}
        {level && <div className={styles.level}>{level}</div>}
        <BottomCTA>
          <ButtonLink to={paths.learn} tone="neutral" size="large" replace>
            {quizCopy.goHome}
          </ButtonLink>
          <ButtonLink to={learnPaths.articles} size="large" replace>
            {quizCopy.readArticle}
          </ButtonLink>
        </BottomCTA>
      </main>
      <WrongSheet open={isReviewing} quizzes={wrong} onClose={() => setReviewing(false)} />
    </>
  );
}

/** The answers in order, each with its mark. */
function Dots({ quizzes }: { quizzes: readonly Quiz[] }) {
  return (
    <ol className={styles.dots}>
      {quizzes.map(({ memberEducationSid, isCorrect }) => (
        <li key={memberEducationSid} className={`${styles.dot} ${isCorrect === null ? '' : isCorrect ? styles.dotRight : styles.dotWrong}`}>
          <DotIcon isCorrect={isCorrect} />
          <span className="sr-only">{isCorrect === null ? quizCopy.unsentMark : isCorrect ? quizCopy.right : quizCopy.incorrect}</span>
        </li>
      ))}
    </ol>
  );
}

function DotIcon({ isCorrect }: { isCorrect: boolean | null }) {
  if (isCorrect === null) return <ClockIcon size={18} />;
  return isCorrect ? <CheckIcon size={20} /> : <CloseIcon size={18} />;
}
