import { type ApiProblem, isProblem, problemFromThrown } from '@/shared/api/apiProblem';
import type { Category } from '@/shared/api/queryKeys';
import { newRequestId } from '@/shared/api/requestId';
import type { OrderBody, OrderReply } from '@/shared/api/types';
import { given } from '@/shared/copy/copy.given';
import { waitingCopy } from './copy';
import { closeRequest, postOrder } from './orderApi';
import { forgetOrder, lockOrder, isUnresolved, rememberOrder } from './unresolvedOrders';

/** One confirmed order. Everything in it is fixed at the confirm, so that sending it again can never order twice. */
export interface OrderAttempt {
  category: Category;
  body: OrderBody & { reqSid: string };
}

/** How an attempt ended, as far as anybody can tell. */
export type AttemptOutcome =
  | { kind: 'done'; reply: OrderReply }
  /** The server's own sentence, possibly empty. */
  | { kind: 'refused'; message: string }
  /** Accepted, and ended at once without a fill. */
  | { kind: 'ended'; reason: string }
  /** Nobody could be asked yet: it may have filled, and it may never have arrived. */
  | { kind: 'unknown' };

export function newAttempt(category: Category, body: OrderBody): OrderAttempt {
  return { category, body: { ...body, reqSid: newRequestId() } };
}

/**
 * Sends the attempt once. When the answer is lost the server is asked by its request id before anything else is offered. An
 * outcome that nobody hears any more leaves the order unresolved, so that the member is told of it elsewhere.
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
      return isDecided ? refusal(problem) : fetchOutcome(attempt);
    }
  });
}

/** Asks what became of an attempt. If it never arrived it never will, so it is not sent again either. */
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
    return isAboutOrders(problem) && !isUndecided(problem) ? refusal(problem) : { kind: 'unknown' };
  }
}

// The codes of orders: whoever says one of them has looked at this request. Anybody else may only have turned the question away.
function isAboutOrders({ code }: ApiProblem): boolean {
  return code >= 3000 && code < 4000;
}

// Whoever is not known, not allowed, too fast now or without a price now is told nothing of what was sent before.
function isAboutThisSend(problem: ApiProblem): boolean {
  return [401, 403, 429].includes(problem.status) || isProblem(problem, 'MARKET_UNAVAILABLE');
}

// While the first sending is still being worked on the server answers a repeat with "in progress": not a refusal. That there is
// no price is one, although it passes.
function isUndecided({ reason, isOutcomeUnknown }: ApiProblem): boolean {
  return (isOutcomeUnknown && reason !== 'MARKET_UNAVAILABLE') || reason === 'REQ_SID_IN_PROGRESS';
}

function refusal(problem: ApiProblem): AttemptOutcome {
  return { kind: 'refused', message: problem.message || sentenceFor(problem) };
}

// A change that comes too late is worth a sentence of our own when the server has none.
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
      // A cancellation or a change ends so when it succeeds; an order that ended with something filled still did something.
      return isCancellation(reply) || reply.filledQty > 0
        ? { kind: 'done', reply }
        : { kind: 'ended', reason: reply.order.endReason ?? reply.status };
    case 'REJECTED':
      return { kind: 'refused', message: reply.message };
  }
}

function isCancellation({ origOrderSid, order }: OrderReply): boolean {
  const isAboutAnother = origOrderSid !== null && origOrderSid !== undefined;
  return isAboutAnother || order.orderGb === given.orderKinds.cancelBuy || order.orderGb === given.orderKinds.cancelSell;
}
