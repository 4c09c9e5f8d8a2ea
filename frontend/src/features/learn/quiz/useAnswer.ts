import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { haptic } from '@/shared/platform/haptics';
import { afterStudy } from '@/features/learn/afterStudy';
import { sendAnswer } from '@/features/learn/learnApi';
import type { Quiz } from '@/features/learn/learnTypes';
import { showResult } from './sendUnsent';
import { keepAnswer } from './unsentAnswers';

/**
 * Grades an answer by the server. Without a connection it is kept and sent later. A repetition after a failure carries the time
 * of the first try, and the server answers what it already graded.
 */
export function useAnswer(quiz: Quiz, memberSid: number, onBonus: (points: number) => void) {
  const queryClient = useQueryClient();
  const answeredAt = useRef<string | null>(null);
  const keep = (answer: readonly string[]) => {
    answeredAt.current ??= new Date().toISOString();
    keepAnswer({ memberSid, sid: quiz.memberEducationSid, answer, answeredAt: answeredAt.current });
  };
  const mutation = useMutation({
    mutationFn: (answer: readonly string[]) => {
      const repeatedFrom = answeredAt.current;
      answeredAt.current ??= new Date().toISOString();
      return sendAnswer(quiz.memberEducationSid, answer, repeatedFrom);
    },
    onSuccess: (result, answer) => {
      haptic(result.isCorrect ? 'success' : 'error');
      if (result.setBonus > 0) onBonus(result.setBonus);
      showResult(queryClient, memberSid, quiz.memberEducationSid, answer, result);
      afterStudy(queryClient, memberSid);
    },
    onError: (_, answer) => {
      if (!navigator.onLine) keep(answer);
    },
  });
  return {
    send: (answer: readonly string[]) => (navigator.onLine ? mutation.mutate(answer) : keep(answer)),
    /** Puts the answer off until later. */
    keep,
    isPending: mutation.isPending,
    isFailed: mutation.isError,
    /** Answered just now, not on an earlier visit. */
    isFresh: mutation.isSuccess || answeredAt.current !== null,
  };
}
