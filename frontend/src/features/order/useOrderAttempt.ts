import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { type Category, queryKeys } from '@/shared/api/queryKeys';
import type { OrderBody } from '@/shared/api/types';
import { haptic } from '@/shared/platform/haptics';
import { type AttemptOutcome, newAttempt, type OrderAttempt, sendAttempt } from './orderAttempt';
import { asksTheSame } from './orderBodies';
import { waitingForQuery } from './orderQueries';
import { unresolvedOrders } from './unresolvedOrders';

interface Target {
  memberSid: number;
  category: Category;
  code: string;
  /** What the sheet is for, in the words of the wire, and the waiting order that it changes. */
  orderGb: OrderBody['orderGb'];
  orderSid: number | null;
}

const UNKNOWN: AttemptOutcome = { kind: 'unknown' };

/**
 * Sends one order per confirmation. A second tap while it is on its way does nothing; a retry after a lost answer, and even a
 * new confirmation of the very same order after one, carries the same request id, so the server can only ever make one. An
 * order of whose end nobody knew when the page went away is what the sheet begins with.
 */
export function useOrderAttempt({ memberSid, category, code, orderGb, orderSid }: Target) {
  const queryClient = useQueryClient();
  const isOnItsWay = useRef(false);
  const unresolved = () =>
    unresolvedOrders(memberSid).filter(
      ({ body }) => body.isuSrtCd === code && body.orderGb === orderGb && (body.orderSid ?? null) === orderSid,
    );
  const [isLeftOver, setLeftOver] = useState(() => unresolved().length > 0);
  const [isRetrying, setRetrying] = useState(false);

  const mutation = useMutation({
    mutationFn: sendAttempt,
    networkMode: 'always',
    retry: 0,
    onSuccess: (outcome) => {
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
    setLeftOver(false);
    mutation.mutate(attempt);
  };

  return {
    isSending: mutation.isPending,
    /** Sending the unresolved attempt again. */
    isRetrying,
    outcome: mutation.data ?? (isLeftOver ? UNKNOWN : null),
    submit: (body: OrderBody) => {
      const open = unresolved().find((attempt) => asksTheSame(attempt.body, body));
      if (open) send(open);
      else send(newAttempt(category, body, queryClient.getQueryData(waitingForQuery(memberSid, category, code).queryKey) ?? null));
    },
    /** Sends the unresolved attempt again, byte for byte. */
    sendAgain: () => {
      const newest = unresolved().at(-1);
      if (!newest) return;
      setRetrying(true);
      send(newest);
    },
    /** Puts a refusal or an unknown outcome away; the order stays unresolved. */
    dismiss: () => {
      setLeftOver(false);
      mutation.reset();
    },
  };
}
