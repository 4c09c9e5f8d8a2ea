import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { queryKeys } from '@/shared/api/queryKeys';
import type { OrderBody } from '@/shared/api/types';
import { action } from '@/shared/copy/copy.shared';
import { Dialog } from '@/shared/ui/Dialog';
import { unresolvedBody, unresolvedTitle } from './copy.unresolved';
import { askAfter, type AttemptOutcome } from './orderAttempt';
import { isHeld, unresolvedOrders } from './unresolvedOrders';

interface Answer {
  body: OrderBody & { reqSid: string };
  outcome: AttemptOutcome;
}

const LOOK_EVERY_MS = 5_000;

/**
 * Asks after orders whose answer was lost, wherever the member is, and tells one after the other what became of them. An order
 * whose sheet is open is asked after there.
 */
export function UnresolvedOrders({ memberSid }: { memberSid: number }) {
  const queryClient = useQueryClient();
  const [answers, setAnswers] = useState<Answer[]>([]);

  useEffect(() => {
    let isGone = false;
    let isAsking = false;
    const ask = async () => {
      if (isAsking || document.hidden || !navigator.onLine) return;
      isAsking = true;
      for (const attempt of unresolvedOrders(memberSid)) {
        if (isHeld(attempt.body.reqSid)) continue;
        const outcome = await askAfter(attempt, () => !isGone);
        if (isGone) return;
        // Who cannot be asked about this one cannot be asked about the next.
        if (outcome.kind === 'unknown') break;
        setAnswers((list) => [...list, { body: attempt.body, outcome }]);
        void queryClient.invalidateQueries({ queryKey: queryKeys.account(memberSid) });
      }
      isAsking = false;
    };
    const look = () => void ask();
    look();
    const timer = setInterval(look, LOOK_EVERY_MS);
    window.addEventListener('online', look);
    window.addEventListener('pageshow', look);
    document.addEventListener('visibilitychange', look);
    return () => {
      isGone = true;
      clearInterval(timer);
      window.removeEventListener('online', look);
      window.removeEventListener('pageshow', look);
      document.removeEventListener('visibilitychange', look);
    };
  }, [memberSid, queryClient]);

  const next = answers[0];
  // What is said stays while the dialog closes.
  const [shown, setShown] = useState<Answer | null>(null);
  if (next !== undefined && next !== shown) setShown(next);
  return (
    <Dialog
      open={next !== undefined}
      alert
      title={shown ? unresolvedTitle(shown.body) : ''}
      body={shown && unresolvedBody(shown.outcome, shown.body)}
      closeLabel={action.confirm}
      onClose={() => setAnswers((list) => list.slice(1))}
    />
  );
}
