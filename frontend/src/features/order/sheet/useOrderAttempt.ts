import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { Category } from '@/shared/api/assets';
import { queryKeys } from '@/shared/api/queryKeys';
import type { OrderBody } from '@/shared/api/types';
import { haptic } from '@/shared/platform/haptics';
import { resolveAttempt, type AttemptOutcome, newAttempt, type OrderAttempt, sendAttempt } from '@/features/order/orderAttempt';
import { isSameRequest } from '@/features/order/rules/orderBodies';
import { lockOrder, unresolvedOrders } from '@/features/order/unresolvedOrders';

interface Target {
  memberSid: number;
  category: Category;
  code: string;
  /** The order kind of this sheet, and the waiting order it modifies. */
  orderGb: OrderBody['orderGb'];
  orderSid: number | null;
}

const UNKNOWN: AttemptOutcome = { kind: 'unknown' };
const POLL_INTERVAL_MS = 2_000;

/**
 * Sends one order per confirmation. A second tap while it is being sent does nothing. A retry after a lost reply, or a new
 * confirmation of the same order, carries the same request id, so the server creates at most one order. The sheet starts with
 * an unresolved order of an earlier page, if there is one, and polls while the outcome is unknown.
 */
export function useOrderAttempt({ memberSid, category, code, orderGb, orderSid }: Target) {
  const queryClient = useQueryClient();
  const isInFlight = useRef(false);
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  const unresolved = () =>
    unresolvedOrders(memberSid).filter(
      ({ body }) => body.isuSrtCd === code && body.orderGb === orderGb && (body.orderSid ?? null) === orderSid,
    );
  const [leftOver, setLeftOver] = useState(() => unresolved().at(-1) ?? null);
  const [answer, setAnswer] = useState<AttemptOutcome | null>(null);
  const [isRetrying, setRetrying] = useState(false);

  const onOutcome = useCallback(
    (outcome: AttemptOutcome) => {
      haptic(outcome.kind === 'done' ? 'success' : 'error');
      void queryClient.invalidateQueries({ queryKey: queryKeys.account(memberSid) });
    },
    [memberSid, queryClient],
  );

  const mutation = useMutation({
    mutationFn: (attempt: OrderAttempt) => sendAttempt(attempt, () => isShown.current),
    networkMode: 'always',
    retry: 0,
    onSuccess: onOutcome,
    onSettled: () => {
      isInFlight.current = false;
      setRetrying(false);
    },
  });

  const send = (attempt: OrderAttempt) => {
    if (isInFlight.current) return;
    isInFlight.current = true;
    setLeftOver(null);
    setAnswer(null);
    mutation.mutate(attempt);
  };

  const outcome = answer ?? mutation.data ?? (leftOver ? UNKNOWN : null);
  const open = outcome?.kind === 'unknown' ? (mutation.variables ?? leftOver) : null;
  useEffect(() => {
    if (open === null) return;
    let isCancelled = false;
    const release = lockOrder(open.body.reqSid);
    const timer = setInterval(() => {
      void resolveAttempt(open, () => !isCancelled).then((resolved) => {
        if (isCancelled || resolved.kind === 'unknown') return;
        setAnswer(resolved);
        onOutcome(resolved);
      });
    }, POLL_INTERVAL_MS);
    return () => {
      isCancelled = true;
      clearInterval(timer);
      release();
    };
  }, [open, onOutcome]);

  return {
    isSending: mutation.isPending,
    /** The unresolved attempt is being sent again. */
    isRetrying,
    outcome,
    submit: (body: OrderBody) => send(unresolved().find((attempt) => isSameRequest(attempt.body, body)) ?? newAttempt(category, body)),
    /** Sends the unresolved attempt again, byte for byte. */
    sendAgain: () => {
      if (open === null) return;
      setRetrying(true);
      send(open);
    },
    /** Dismisses a rejection or an unknown outcome; the order stays unresolved. */
    dismiss: () => {
      setLeftOver(null);
      setAnswer(null);
      mutation.reset();
    },
  };
}
