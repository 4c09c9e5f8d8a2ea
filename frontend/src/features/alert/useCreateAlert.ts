import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { ApiProblem, isProblem } from '@/shared/api/apiProblem';
import { newRequestId } from '@/shared/api/requestId';
import type { PriceAlertBody } from '@/shared/api/types';
import { haptic } from '@/shared/platform/haptics';
import { alertsQuery, postAlert } from './alertApi';
import { alertCopy } from './copy';

type Wish = Omit<PriceAlertBody, 'reqSid'>;

/** Creates an alert. The same wish carries the same request id until it is created, so that a lost reply creates no second one. */
export function useCreateAlert(onCreated: () => void) {
  const queryClient = useQueryClient();
  const uncreated = useRef<PriceAlertBody | null>(null);
  const mutation = useMutation({
    mutationFn: postAlert,
    onSuccess: (_alert, { memberSid }) => {
      uncreated.current = null;
      haptic('success');
      void queryClient.invalidateQueries({ queryKey: alertsQuery(memberSid).queryKey });
      onCreated();
    },
    onError: (problem) => {
      haptic('error');
      // Other rejections are not stored under the id, and say nothing about an earlier send whose reply was lost.
      if (isProblem(problem, 'REQ_SID_REUSED')) uncreated.current = null;
    },
  });
  return {
    isSending: mutation.isPending,
    problem: mutation.error === null ? null : sentence(mutation.error),
    create: (wish: Wish) => {
      if (mutation.isPending) return;
      const { current } = uncreated;
      const body = current !== null && isSame(current, wish) ? current : { ...wish, reqSid: newRequestId() };
      uncreated.current = body;
      mutation.mutate(body);
    },
    /** Forgets a refusal, when the wish changes. */
    reset: mutation.reset,
  };
}

function isSame(sent: Wish, wish: Wish): boolean {
  return sent.memberSid === wish.memberSid && sent.code === wish.code && sent.kind === wish.kind && sent.value === wish.value;
}

function sentence(problem: unknown): string {
  return problem instanceof ApiProblem && !problem.isOutcomeUnknown && problem.message !== '' ? problem.message : alertCopy.createFailed;
}
