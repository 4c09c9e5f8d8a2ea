import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { isProblem } from '@/shared/api/apiProblem';
import { haptic } from '@/shared/platform/haptics';
import { Button } from '@/shared/ui/Button';
import { Sheet } from '@/shared/ui/Sheet';
import { sendAnswer } from '@/features/learn/learnApi';
import type { Completion, StudyResult } from '@/features/learn/learnTypes';
import { QuizOptions } from '@/features/learn/quiz/QuizOptions';
import styles from './Article.module.css';
import { articleCopy } from './copy';

interface CheckSheetProps {
  /** The reading that is completed. */
  sid: number | null;
  /** Null while the sheet is closed. */
  question: Completion | null;
  onClose: () => void;
  onDone: (result: StudyResult) => void;
  onTooShort: (secondsLeft: number) => void;
}

/** The question of an article, which may be tried until it is right. A wrong try reveals nothing. */
export function CheckSheet({ sid, question, onClose, onDone, onTooShort }: CheckSheetProps) {
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const send = useMutation({
    mutationFn: (answer: readonly string[]) => sendAnswer(sid ?? 0, answer),
    onSuccess: (result) => {
      haptic(result.isCorrect ? 'success' : 'error');
      if (result.isCorrect) onDone(result);
    },
    onError: (error) => {
      if (isProblem(error, 'READING_TOO_SHORT')) onTooShort(Number(error.facts.secondsLeft ?? 1));
    },
  });
  const isWrong = send.data?.isCorrect === false;
  return (
    <Sheet
      open={question !== null}
      title={articleCopy.check}
      onClose={() => {
        setChosen([]);
        send.reset();
        onClose();
      }}
      footer={
        <Button size="large" block busy={send.isPending} disabled={chosen.length === 0} onClick={() => send.mutate(chosen)}>
          {articleCopy.answer}
        </Button>
      }
    >
      {question && (
        <>
          <p className={styles.checkLead}>{articleCopy.checkLead}</p>
          <QuizOptions
            question={question.question}
            options={question.answerOption}
            count={1}
            chosen={chosen}
            onChange={(next) => {
              send.reset();
              setChosen(next);
            }}
          />
        </>
      )}
      <p className={styles.checkWrong} role="alert">
        {isWrong && articleCopy.wrongCheck}
        {send.isError && articleCopy.failed}
      </p>
    </Sheet>
  );
}
