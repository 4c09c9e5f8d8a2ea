import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { queryKeys } from '@/shared/api/queryKeys';
import type { OrderBody } from '@/shared/api/types';
import { action } from '@/shared/copy/copy.shared';
import { Dialog } from '@/shared/ui/Dialog';
import { unresolvedBody, unresolvedTitle } from './copy.unresolved';
import { resolveAttempt, type AttemptOutcome } from './orderAttempt';
import { isLocked, unresolvedOrders } from './unresolvedOrders';

interface Answer {
  body: OrderBody & { reqSid: string };
  outcome: AttemptOutcome;
}

const POLL_INTERVAL_MS = 5_000;

/**
 * Resolves orders whose reply was lost, on any screen, and reports their outcomes one at a time. An order whose sheet is open
 * is resolved there.
 */
export function UnresolvedOrders({ memberSid }: { memberSid: number }) {
  const queryClient = useQueryClient();
  const [answers, setAnswers] = useState<Answer[]>([]);
  const { pathname } = useLocation();
  const openedAt = useRef(pathname);

  useEffect(() => {
    let isCancelled = false;
    // The sheet of a page that has just opened may still be loading.
    let isSheetAwaited = true;
    let isResolving = false;
    const resolveAll = async () => {
      if (isResolving || document.hidden || !navigator.onLine) return;
      isResolving = true;
      for (const attempt of unresolvedOrders(memberSid)) {
        if (isLocked(attempt.body.reqSid) || (isSheetAwaited && isOrderPage(openedAt.current, attempt.body))) continue;
        const outcome = await resolveAttempt(attempt, () => !isCancelled);
        if (isCancelled) return;
        // If one cannot be resolved now, neither can the next.
        if (outcome.kind === 'unknown') break;
        setAnswers((list) => [...list, { body: attempt.body, outcome }]);
        void queryClient.invalidateQueries({ queryKey: queryKeys.account(memberSid) });
      }
      isResolving = false;
    };
    const check = () => void resolveAll();
    check();
    const timer = setInterval(() => {
      isSheetAwaited = false;
      check();
    }, POLL_INTERVAL_MS);
    window.addEventListener('online', check);
    window.addEventListener('pageshow', check);
    document.addEventListener('visibilitychange', check);
    return () => {
      isCancelled = true;
      clearInterval(timer);
      window.removeEventListener('online', check);
      window.removeEventListener('pageshow', check);
      document.removeEventListener('visibilitychange', check);
    };
  }, [memberSid, queryClient]);

  const next = answers[0];
  // Keeps the text while the dialog closes.
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

function isOrderPage(pathname: string, { isuSrtCd }: OrderBody): boolean {
  return pathname.startsWith('/order/') && pathname.endsWith(`/${isuSrtCd}`);
}
