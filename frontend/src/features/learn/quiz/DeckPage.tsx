import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useMemberSid } from '@/shared/api/session';
import { kstDayKey } from '@/shared/format/kst';
import { paths } from '@/shared/paths';
import { MissingState } from '@/shared/ui/MissingState';
import { Bone } from '@/shared/ui/Skeleton';
import { ErrorState } from '@/shared/ui/States';
import { TopBar } from '@/shared/ui/TopBar';
import { learnCopy } from '@/features/learn/copy';
import { type Deck, deckQuery } from '@/features/learn/learnQueries';
import { quizCopy } from './copy';
import styles from './Deck.module.css';
import { DeckRunner } from './DeckRunner';

interface DeckPageProps {
  deck: Deck;
  /** The progress of the member's wealth level, shown with the result. */
  level?: ReactNode;
}

/** The screen of a quiz run: one question at a time. It resumes at the first that is not answered. */
export function DeckPage({ deck, level }: DeckPageProps) {
  const memberSid = useMemberSid();
  // A run that is open at midnight goes on with its set.
  const [day] = useState(() => kstDayKey(new Date()));
  const { data, error, refetch } = useQuery({ ...deckQuery(memberSid ?? 0, deck, day), enabled: memberSid !== null });
  if (memberSid === null) return null;
  const title = quizCopy.title[deck.kind];
  if (data && data.length > 0) return <DeckRunner deck={deck} quizzes={data} memberSid={memberSid} level={level} />;
  return (
    <>
      <TopBar title={title} backTo={paths.learn} />
      <main id="main">
        {data && (
          <MissingState title={deck.kind === 'review' ? quizCopy.noReview : quizCopy.none} to={paths.learn} label={learnCopy.home} />
        )}
        {!data && (error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <QuestionSkeleton />)}
      </main>
    </>
  );
}

function QuestionSkeleton() {
  return (
    <div aria-busy="true">
      <div aria-hidden="true" className={styles.skeleton}>
        <Bone width="100%" height={8} radius={4} />
        <Bone width="90%" height={28} />
        <Bone width="60%" height={28} />
        {[1, 2, 3, 4].map((option) => (
          <Bone key={option} width="100%" height={56} radius={16} />
        ))}
      </div>
    </div>
  );
}
