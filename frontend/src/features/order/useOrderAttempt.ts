import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { type Category, queryKeys } from '@/shared/api/queryKeys';
import type { OrderBody } from '@/shared/api/types';
import { haptic } from '@/shared/platform/haptics';
import { newAttempt, type OrderAttempt, sendAttempt } from './orderAttempt';
import { asksTheSame } from './orderBodies';
import { waitingForQuery } from './orderQueries';

interface Target {
  memberSid: number;
  category: Category;
  code: string;
}

/**
 * Sends one order per confirmation. A second tap while it is on its way does nothing; a retry after a lost answer, and even a
 * new confirmation of the very same order after one, carries the same request id, so the server can only ever make one.
 */
export function useOrderAttempt({ memberSid, category, code }: Target) {
  const queryClient = useQueryClient();
  const isOnItsWay = useRef(false);
  const unresolved = useRef<OrderAttempt | null>(null);
  const [isRetrying, setRetrying] = useState(false);

  const mutation = useMutation({
    mutationFn: sendAttempt,
    networkMode: 'always',
    retry: 0,
    onSuccess: (outcome, attempt) => {
      unresolved.current = outcome.kind === 'unknown' ? attempt : null;
      haptic(outcome.kind === 'done' || outcome.kind === 'found' ? 'success' : 'error');
    },
    onSettled: () => {
      isOnItsWay.current = false;
      setRetrying(false);
      void queryClient.invalidateQueries({ queryKey: queryKeys.account(memberSid) });
    },
  });

  const send = (attempt: OrderAttempt) => {
    if (isOnItsWay.current) return;
    isOnItsWay.current = true;
    mutation.mutate(attempt);
  };

  return {
    isSending: mutation.isPending,
    /** Sending the unresolved attempt again. */
    isRetrying,
    outcome: mutation.data ?? null,
    submit: (body: OrderBody) => {
      const open = unresolved.current;
      if (open && asksTheSame(open.body, body)) send(open);
      else send(newAttempt(category, body, queryClient.getQueryData(waitingForQuery(memberSid, category, code).queryKey) ?? null));
    },
    /** Sends the unresolved attempt again, byte for byte. */
    sendAgain: () => {
      if (!unresolved.current) return;
      setRetrying(true);
      send(unresolved.current);
    },
    /** Puts a refusal or an unknown outcome away. */
    dismiss: mutation.reset,
  };
}
