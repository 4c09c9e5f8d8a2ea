import { Sheet } from '@/shared/ui/Sheet';
import { Figure } from '@/features/learn/figure/Figure';
import type { Quiz } from '@/features/learn/learnTypes';
import { RichText } from '@/features/learn/text/RichText';
import { quizCopy } from './copy';
import styles from './Deck.module.css';
import { QuizOptions } from './QuizOptions';

/** The missed questions once more, with answers and explanations. */
export function WrongSheet({ open, quizzes, onClose }: { open: boolean; quizzes: readonly Quiz[]; onClose: () => void }) {
  return (
    <Sheet full open={open} title={quizCopy.wrongTitle} onClose={onClose}>
      <div className={styles.wrongs}>
        {quizzes.map((quiz) => (
          <div key={quiz.memberEducationSid}>
            <QuizOptions
              question={quiz.question}
              options={quiz.answerOption}
              count={1}
              chosen={quiz.inputAnswer ?? []}
              isLocked
              result={{ answer: quiz.answer ?? [], descriptions: quiz.optionDescription ?? {} }}
            >
              {quiz.figure && <Figure figure={quiz.figure} />}
            </QuizOptions>
            <div className={styles.wrongText}>
              <RichText text={quiz.answerDescription ?? ''} />
            </div>
          </div>
        ))}
      </div>
    </Sheet>
  );
}
