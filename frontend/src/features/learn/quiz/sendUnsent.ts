import type { QueryClient } from '@tanstack/react-query';
import { ApiProblem } from '@/shared/api/apiProblem';
import { queryKeys } from '@/shared/api/queryKeys';
import { afterStudy } from '@/features/learn/afterStudy';
import { sendAnswer } from '@/features/learn/learnApi';
import type { Quiz, StudyResult } from '@/features/learn/learnTypes';
import { forgetAnswer, unsentAnswersOf } from './unsentAnswers';

let isSending = false;

/** Sends what was answered without a connection, oldest first. Returns how many were graded; stops at the first that fails. */
export async function sendUnsent(queryClient: QueryClient, memberSid: number): Promise<number> {
  if (isSending) return 0;
  isSending = true;
  let graded = 0;
  try {
    for (const unsent of unsentAnswersOf(memberSid)) {
      const result = await sendAnswer(unsent.sid, unsent.answer, unsent.answeredAt).catch((error: unknown) => {
        // A final rejection, as of an answer to a set that nobody keeps any more, must not hold up the others.
        if (isFinal(error)) return null;
        throw error;
      });
      if (result) {
        graded += 1;
        // A set that was asked for before this answer arrived must not overwrite it.
        await queryClient.cancelQueries({ queryKey: [...queryKeys.learn, memberSid, 'deck'] });
        showResult(queryClient, memberSid, unsent.sid, unsent.answer, result);
      }
      forgetAnswer(unsent);
    }
  } catch {
    // The connection is gone again: the rest waits for the next time.
  } finally {
    isSending = false;
  }
  if (graded > 0) afterStudy(queryClient, memberSid);
  return graded;
}

/** Writes a result into the decks that hold the quiz. */
export function showResult(queryClient: QueryClient, memberSid: number, sid: number, answer: readonly string[], result: StudyResult): void {
  queryClient.setQueriesData<Quiz[]>({ queryKey: [...queryKeys.learn, memberSid, 'deck'] }, (quizzes) =>
    quizzes?.map((quiz) => (quiz.memberEducationSid === sid ? answered(quiz, answer, result) : quiz)),
  );
}

/** A quiz with its result. */
export function answered(quiz: Quiz, inputAnswer: readonly string[], { isCorrect, answer, answerDescription, optionDescription, point }: StudyResult): Quiz {
  return { ...quiz, isSubmit: true, isCorrect, answer, answerDescription, optionDescription, point, inputAnswer: [...inputAnswer] };
}

function isFinal(error: unknown): boolean {
  return error instanceof ApiProblem && error.status >= 400 && error.status < 500 && error.status !== 401 && error.status !== 408 && error.status !== 429;
}
