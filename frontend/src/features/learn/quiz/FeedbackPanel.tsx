import { useEffect, useRef, useState } from 'react';
import { unitless } from '@/shared/format/number';
import { Button } from '@/shared/ui/Button';
import { CheckIcon, ClockIcon, CloseIcon } from '@/shared/ui/icons';
import type { Quiz } from '@/features/learn/learnTypes';
import { plainText } from '@/features/learn/text/markdown';
import { RichText } from '@/features/learn/text/RichText';
import { quizCopy } from './copy';
import styles from './Deck.module.css';

interface FeedbackPanelProps {
  quiz: Quiz;
  /** Answered without a connection: nothing is graded yet. */
  isWaiting: boolean;
  /** Answered just now: the heading gets the focus. */
  isFresh: boolean;
  nextLabel: string;
  onNext: () => void;
}

/** The verdict at the lower edge with points and explanation, and the way on. A word and an icon say it besides the colour. */
export function FeedbackPanel({ quiz, isWaiting, isFresh, nextLabel, onNext }: FeedbackPanelProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const heightPx = useHeight(panel);
  useEffect(() => {
    if (isFresh) heading.current?.focus({ preventScroll: true });
  }, [isFresh, isWaiting]);
  const look = isWaiting ? styles.neutral : quiz.isCorrect ? styles.green : styles.red;
  return (
    <>
      <div style={{ height: heightPx }} aria-hidden="true" />
      <div ref={panel} className={`${styles.panel} ${look}`}>
        <div role="status">
          <h2 ref={heading} tabIndex={-1} className={styles.verdict}>
            <VerdictIcon isWaiting={isWaiting} isCorrect={quiz.isCorrect === true} />
            {isWaiting ? quizCopy.unsent : quiz.isCorrect ? quizCopy.correct : quizCopy.incorrect}
          </h2>
          <p className={styles.points}>{isWaiting ? quizCopy.unsentBody : verdictLine(quiz)}</p>
        </div>
        {!isWaiting && quiz.answerDescription && (
          // A long explanation scrolls by keyboard, too.
          // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
          <div className={styles.explanation} role="region" aria-label={quizCopy.explanation} tabIndex={0}>
            <RichText text={quiz.answerDescription} />
            {quiz.source !== '' && <p className={styles.source}>{quizCopy.source(quiz.source)}</p>}
          </div>
        )}
        <Button size="large" block onClick={onNext}>
          {nextLabel}
        </Button>
      </div>
    </>
  );
}

function VerdictIcon({ isWaiting, isCorrect }: { isWaiting: boolean; isCorrect: boolean }) {
  if (isWaiting) return <ClockIcon size={22} />;
  return isCorrect ? <CheckIcon size={24} /> : <CloseIcon size={22} />;
}

/** The right answer where it was missed, and the points. */
function verdictLine({ isCorrect, answer, answerOption, point, isPractice }: Quiz): string {
  const points = point !== null && point > 0 ? quizCopy.earned(unitless(point)) : isPractice ? quizCopy.practice : '';
  const answers = (answer ?? []).map((key) => plainText(answerOption[key] ?? ''));
  const [only = ''] = answers;
  const right = isCorrect ? '' : answers.length === 1 ? quizCopy.answerIs(only) : quizCopy.answersAre(answers.join(', '));
  return [right, points].filter(Boolean).join(' · ');
}

function useHeight(panel: { current: HTMLElement | null }): number {
  const [heightPx, setHeight] = useState(0);
  useEffect(() => {
    const element = panel.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(() => setHeight(element.offsetHeight));
    observer.observe(element);
    return () => observer.disconnect();
  }, [panel]);
  return heightPx;
}
