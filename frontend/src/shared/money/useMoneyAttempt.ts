import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { queryKeys } from '@/shared/api/queryKeys';
import { newRequestId } from '@/shared/api/requestId';
import { haptic } from '@/shared/platform/haptics';
import { showSnackbar } from '@/shared/ui/snackbarStore';
import { moneyCopy } from './copy.money';
import { type MoneyOutcome, sendMoney } from './sendMoney';
import { isSameBody, type MoneyRequest, unresolvedRequests } from './unresolvedRequests';

interface MoneyAttemptOptions<Body extends object, Reply> {
  memberSid: number;
  /** Names what is asked for; an unresolved request of an earlier page with the same purpose is offered again. */
  purpose: string;
  send: (body: Body & { reqSid: string }) => Promise<Reply>;
  /** The sentence of a success, shown when its screen is gone. */
  doneText: (reply: Reply) => string;
  /** Called with each outcome while the screen is shown. */
  onOutcome?: (outcome: MoneyOutcome<Reply>) => void;
}

/**
 * Sends one request per confirmation. A second tap while it is being sent does nothing. A retry after a lost reply, or a new
 * confirmation of the same, carries the same request id, so the server acts at most once. Nothing is sent without a tap.
 */
export function useMoneyAttempt<Body extends object, Reply>(options: MoneyAttemptOptions<Body, Reply>) {
  const { memberSid, purpose, send, doneText, onOutcome } = options;
  const queryClient = useQueryClient();
  const isInFlight = useRef(false);
  const isShown = useIsShown();
  const unresolved = () => unresolvedRequests<Body>(memberSid, purpose);
  const [leftOver, setLeftOver] = useState(() => unresolved().at(-1) ?? null);
  const [isRetrying, setRetrying] = useState(false);

  const mutation = useMutation({
    mutationFn: (request: MoneyRequest<Body>) => sendMoney(request, send),
    networkMode: 'always',
    retry: 0,
    onSuccess: (outcome) => {
      haptic(outcome.kind === 'done' ? 'success' : 'error');
      void queryClient.invalidateQueries({ queryKey: queryKeys.account(memberSid) });
      if (isShown.current) onOutcome?.(outcome);
      else reportLate(outcome, doneText);
    },
    onSettled: () => {
      isInFlight.current = false;
      setRetrying(false);
    },
  });

  const submit = (request: MoneyRequest<Body>) => {
    if (isInFlight.current) return;
    isInFlight.current = true;
    setLeftOver(null);
    mutation.mutate(request);
  };
  const outcome: MoneyOutcome<Reply> | null = mutation.data ?? (leftOver ? { kind: 'unknown' } : null);
  const failure = outcome?.kind === 'done' ? null : outcome;
  const open = outcome?.kind === 'unknown' ? (mutation.variables ?? leftOver) : null;

  return {
    isSending: mutation.isPending,
    /** The unresolved request is being sent again. */
    isRetrying,
    outcome,
    /** A refusal or an unknown outcome, until it is dismissed. */
    failure,
    /** What has to be dealt with first stands in front of the form. */
    isInterrupted: failure !== null || isRetrying,
    /** The body of the unresolved or the last request. */
    sent: mutation.variables?.body ?? leftOver?.body ?? null,
    submit: (body: Body) =>
      submit(unresolved().find((request) => isSameBody(request.body, body)) ?? { memberSid, purpose, body: { ...body, reqSid: newRequestId() } }),
    /** Sends the unresolved request again, byte for byte. */
    sendAgain: () => {
      if (open === null) return;
      setRetrying(true);
      submit(open);
    },
    /** Dismisses an outcome; an unknown one stays unresolved. */
    dismiss: () => {
      setLeftOver(null);
      mutation.reset();
    },
  };
}

function useIsShown() {
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  return isShown;
}

/** The member has left the screen; the outcome is still theirs to know. */
function reportLate<Reply>(outcome: MoneyOutcome<Reply>, doneText: (reply: Reply) => string): void {
  switch (outcome.kind) {
    case 'done':
      showSnackbar(doneText(outcome.reply));
      break;
    case 'refused':
      showSnackbar(outcome.problem.message || moneyCopy.failedFallback);
      break;
    case 'unknown':
      showSnackbar(moneyCopy.unknownTitle);
  }
}
