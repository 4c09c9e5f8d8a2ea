import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { paths } from '@/shared/paths';
import { Dialog } from '@/shared/ui/Dialog';
import { isOverlayEntry } from '@/shared/ui/overlayHistory';
import type { Deck } from '@/features/learn/learnQueries';
import type { Quiz } from '@/features/learn/learnTypes';
import { quizCopy } from './copy';
import { DeckBar } from './DeckBar';
import { DeckResult } from './DeckResult';
import { QuizView } from './QuizView';
import { useUnsentAnswers } from './unsentAnswers';

interface DeckRunnerProps {
  deck: Deck;
  quizzes: readonly Quiz[];
  memberSid: number;
  level: ReactNode;
}

/** Leads through the quizzes of a deck and to its result. */
export function DeckRunner({ deck, quizzes, memberSid, level }: DeckRunnerProps) {
  const unsent = useUnsentAnswers();
  const waiting = useMemo(() => new Map(unsent.filter((answer) => answer.memberSid === memberSid).map((answer) => [answer.sid, answer])), [memberSid, unsent]);
  const isOpen = (quiz: Quiz) => !quiz.isSubmit && !waiting.has(quiz.memberEducationSid);
  const [index, setIndex] = useState(() => quizzes.findIndex(isOpen));
  const [bonus, setBonus] = useState(0);
  const [isLeaving, setLeaving] = useState(false);
  const leave = useLeave();
  const quiz = quizzes[index];
  const done = quizzes.filter((each) => !isOpen(each)).length;
  if (!quiz) return <DeckResult deck={deck} quizzes={quizzes} waitingCount={quizzes.filter(({ memberEducationSid }) => waiting.has(memberEducationSid)).length} bonus={bonus} level={level} />;

  const next = () => {
    const following = quizzes.findIndex((each, at) => at > index && isOpen(each));
    setIndex(following === -1 ? quizzes.findIndex(isOpen) : following);
    window.scrollTo({ top: 0 });
  };
  return (
    <>
      <DeckBar title={quizCopy.title[deck.kind]} index={index + 1} done={done} total={quizzes.length} onClose={() => setLeaving(true)} />
      <main id="main">
        <QuizView
          key={quiz.memberEducationSid}
          quiz={quiz}
          memberSid={memberSid}
          unsent={waiting.get(quiz.memberEducationSid) ?? null}
          isLast={done >= quizzes.length - (isOpen(quiz) ? 1 : 0)}
          onBonus={setBonus}
          onNext={next}
        />
      </main>
      <Dialog
        open={isLeaving}
        title={quizCopy.leaveTitle}
        body={quizCopy.leaveBody}
        onClose={() => setLeaving(false)}
        confirm={{
          label: quizCopy.leave,
          onClick: () => {
            setLeaving(false);
            leave();
          },
        }}
      />
    </>
  );
}

/** Replaces the run by the learning tab, once the dialog has removed its own history entry. */
function useLeave(): () => void {
  const navigate = useNavigate();
  const location = useLocation();
  const [hasLeft, setLeft] = useState(false);
  const isOverlaid = isOverlayEntry(location.state);
  useEffect(() => {
    if (hasLeft && !isOverlaid) void navigate(paths.learn, { replace: true });
  }, [hasLeft, isOverlaid, navigate]);
  return () => setLeft(true);
}
