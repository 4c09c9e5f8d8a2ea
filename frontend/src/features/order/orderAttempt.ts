import { type ApiProblem, isProblem, problemFromThrown } from '@/shared/api/apiProblem';
import type { Category } from '@/shared/api/assets';
import { newRequestId } from '@/shared/api/requestId';
import type { OrderBody, OrderReply } from '@/shared/api/types';
import { given } from '@/shared/copy/copy.given';
import { isAboutThisSend } from '@/shared/money/isAboutThisSend';
import { waitingCopy } from './copy';
import { closeRequest, postOrder } from './orderApi';
import { forgetOrder, lockOrder, isUnresolved, rememberOrder } from './unresolvedOrders';

/** One confirmed order. Its body and request id are fixed at confirmation, so sending it again never orders twice. */
export interface OrderAttempt {
  category: Category;
  body: OrderBody & { reqSid: string };
}

export type AttemptOutcome =
  | { kind: 'done'; reply: OrderReply }
  /** The server's message, possibly empty. */
  | { kind: 'rejected'; message: string }
  /** Accepted, and ended at once without a fill. */
  | { kind: 'ended'; reason: string }
  /** The order may have filled, or may never have arrived. */
  | { kind: 'unknown' };

export function newAttempt(category: Category, body: OrderBody): OrderAttempt {
  return { category, body: { ...body, reqSid: newRequestId() } };
}

/**
 * Sends the attempt once. After a lost reply the outcome is queried by request id. If nobody observes the outcome, the order
 * stays unresolved, so that it is reported elsewhere.
 */
export async function sendAttempt(attempt: OrderAttempt, isObserved = () => true): Promise<AttemptOutcome> {
  const { reqSid } = attempt.body;
  const wasSent = isUnresolved(reqSid);
  rememberOrder(attempt);
  return trackOutcome(attempt, isObserved, async () => {
    try {
      return outcomeOf(await postOrder(attempt.category, attempt.body));
    } catch (thrown) {
      const problem = problemFromThrown(thrown);
      const isDecided = !isUndecided(problem) && !(wasSent && isAboutThisSend(problem));
      return isDecided ? rejection(problem) : fetchOutcome(attempt);
    }
  });
}

/** Queries the outcome of an attempt. A request that has not arrived is closed by this, so it is not sent again. */
export function resolveAttempt(attempt: OrderAttempt, isObserved = () => true): Promise<AttemptOutcome> {
  return trackOutcome(attempt, isObserved, () => fetchOutcome(attempt));
}

async function trackOutcome(
  { body: { reqSid } }: OrderAttempt,
  isObserved: () => boolean,
  ask: () => Promise<AttemptOutcome>,
): Promise<AttemptOutcome> {
  const release = lockOrder(reqSid);
  try {
    const outcome = await ask();
    if (outcome.kind !== 'unknown' && isObserved()) forgetOrder(reqSid);
    return outcome;
  } finally {
    release();
  }
}

async function fetchOutcome({ body }: OrderAttempt): Promise<AttemptOutcome> {
  try {
    return outcomeOf(await closeRequest(body.memberSid, body.reqSid));
  } catch (thrown) {
    const problem = problemFromThrown(thrown);
    return isAboutOrders(problem) && !isUndecided(problem) ? rejection(problem) : { kind: 'unknown' };
  }
}

// Error codes of trading. Any other code comes from in front of it and says nothing about the order.
function isAboutOrders({ code }: ApiProblem): boolean {
  return code >= 3000 && code < 4000;
}

// REQ_SID_IN_PROGRESS: the first send is still being processed. A missing price is a rejection, although it is temporary.
function isUndecided({ reason, isOutcomeUnknown }: ApiProblem): boolean {
  return (isOutcomeUnknown && reason !== 'MARKET_UNAVAILABLE') || reason === 'REQ_SID_IN_PROGRESS';
}

function rejection(problem: ApiProblem): AttemptOutcome {
  return { kind: 'rejected', message: problem.message || sentenceFor(problem) };
}

// Our own message for a late change, when the server sends none.
function sentenceFor(problem: ApiProblem): string {
  return isProblem(problem, 'ORDER_ALREADY_FILLED') ? waitingCopy.alreadyFilled : '';
}

function outcomeOf(reply: OrderReply): AttemptOutcome {
  switch (reply.status) {
    case 'QUEUED':
    case 'ACCEPTED':
    case 'PARTIAL':
    case 'FILLED':
      return { kind: 'done', reply };
    case 'CANCELED':
    case 'EXPIRED':
    case 'REPLACED':
      // A cancellation or modification ends like this when it succeeds, and so does an order that was partly filled.
      return isCancellation(reply) || reply.filledQty > 0
        ? { kind: 'done', reply }
        : { kind: 'ended', reason: reply.order.endReason ?? reply.status };
    case 'REJECTED':
      return { kind: 'rejected', message: reply.message };
  }
}

function isCancellation({ origOrderSid, order }: OrderReply): boolean {
  const isAboutAnother = origOrderSid !== null && origOrderSid !== undefined;
  return isAboutAnother || order.orderGb === given.orderKinds.cancelBuy || order.orderGb === given.orderKinds.cancelSell;
}
