import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Button } from '@/shared/ui/Button';
import { Figure } from '@/features/learn/figure/Figure';
import { learnCopy } from '@/features/learn/copy';
import type { Quiz } from '@/features/learn/learnTypes';
import { plainText } from '@/features/learn/text/markdown';
import { Chip } from '@/shared/ui/Chip';
import { quizCopy } from './copy';
import styles from './Deck.module.css';
import { FeedbackPanel } from './FeedbackPanel';
import { QuizOptions } from './QuizOptions';
import { SaveFailed } from './SaveFailed';
import type { UnsentAnswer } from './unsentAnswers';
import { useAnswer } from './useAnswer';

interface QuizViewProps {
  quiz: Quiz;
  memberSid: number;
  /** The answer that waits for the connection. */
  unsent: UnsentAnswer | null;
  isLast: boolean;
  onBonus: (points: number) => void;
  onNext: () => void;
}

/** One question: choosing, grading, and what the answer was. */
export function QuizView({ quiz, memberSid, unsent, isLast, onBonus, onNext }: QuizViewProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const [chosen, setChosen] = useState<readonly string[]>(quiz.inputAnswer ?? unsent?.answer ?? []);
  const answer = useAnswer(quiz, memberSid, onBonus);
  const isWaiting = unsent !== null && !quiz.isSubmit;
  const isAnswered = quiz.isSubmit || isWaiting;
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isAnswered && !answer.isPending && chosen.length === quiz.answerCount) answer.send(chosen);
  };
  return (
    <form onSubmit={submit} className={styles.quiz}>
      <p className={styles.topic}>
        <Chip look="small">{learnCopy.level[quiz.level]}</Chip> {quiz.themeName}
      </p>
      <QuizOptions
        heading={heading}
        question={quiz.question}
        options={quiz.answerOption}
        count={quiz.answerCount}
        chosen={chosen}
        onChange={setChosen}
        isLocked={isAnswered || answer.isPending || answer.isFailed}
        isPair={quiz.type === 'OX'}
        result={quiz.isSubmit ? { answer: quiz.answer ?? [], descriptions: quiz.optionDescription ?? {} } : null}
      >
        {quiz.figure && <Figure figure={quiz.figure} />}
      </QuizOptions>
      {!isAnswered && quiz.hint !== '' && <Hint text={quiz.hint} />}
      {!isAnswered && answer.isFailed && <SaveFailed isSaving={answer.isPending} onRetry={() => answer.send(chosen)} onSkip={() => answer.keep(chosen)} />}
      {!isAnswered && !answer.isFailed && (
        <div className={styles.cta}>
          <Button type="submit" size="large" block busy={answer.isPending} disabled={chosen.length !== quiz.answerCount}>
            {quizCopy.answer}
          </Button>
        </div>
      )}
      {isAnswered && <FeedbackPanel quiz={quiz} isWaiting={isWaiting} isFresh={answer.isFresh} nextLabel={isLast ? quizCopy.result : quizCopy.next} onNext={onNext} />}
    </form>
  );
}

function Hint({ text }: { text: string }) {
  const [isShown, setShown] = useState(false);
  return (
    <div className={styles.hint}>
      {isShown ? (
        <p className={styles.hintText} role="status">
          <strong>{quizCopy.hintTitle}</strong> {plainText(text)}
        </p>
      ) : (
        <button type="button" className={styles.hintButton} onClick={() => setShown(true)}>
          {quizCopy.hint}
        </button>
      )}
    </div>
  );
}
