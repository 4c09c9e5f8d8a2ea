import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { ApiProblem } from '@/shared/api/apiProblem';
import { newRequestId } from '@/shared/api/requestId';
import type { PriceAlertBody } from '@/shared/api/types';
import { haptic } from '@/shared/platform/haptics';
import { alertsQuery, postAlert } from './alertApi';
import { alertCopy } from './copy';

type Wish = Omit<PriceAlertBody, 'reqSid'>;

/** Creates an alert. After a lost reply the same wish carries the same request id, so that it is created at most once. */
export function useCreateAlert(onCreated: () => void) {
  const queryClient = useQueryClient();
  const unanswered = useRef<PriceAlertBody | null>(null);
  const mutation = useMutation({
    mutationFn: postAlert,
    onSuccess: (_alert, { memberSid }) => {
      unanswered.current = null;
      haptic('success');
      void queryClient.invalidateQueries({ queryKey: alertsQuery(memberSid).queryKey });
      onCreated();
    },
    onError: (problem) => {
      haptic('error');
      if (!isOutcomeUnknown(problem)) unanswered.current = null;
    },
  });
  return {
    isSending: mutation.isPending,
    problem: mutation.error === null ? null : sentence(mutation.error),
    create: (wish: Wish) => {
      if (mutation.isPending) return;
      const { current } = unanswered;
      const isSame = current !== null && current.code === wish.code && current.kind === wish.kind && current.value === wish.value;
      const body = isSame ? current : { ...wish, reqSid: newRequestId() };
      unanswered.current = body;
      mutation.mutate(body);
    },
    /** Forgets a refusal, when the wish changes. */
    reset: mutation.reset,
  };
}

function isOutcomeUnknown(problem: unknown): boolean {
  return !(problem instanceof ApiProblem) || problem.isOutcomeUnknown;
}

function sentence(problem: unknown): string {
  return problem instanceof ApiProblem && !problem.isOutcomeUnknown && problem.message !== '' ? problem.message : alertCopy.createFailed;
}
