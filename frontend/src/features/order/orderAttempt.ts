import { type ApiProblem, isProblem, problemFromThrown } from '@/shared/api/apiProblem';
import type { Category } from '@/shared/api/queryKeys';
import { newRequestId } from '@/shared/api/requestId';
import type { Order, OrderBody, OrderReply } from '@/shared/api/types';
import { given } from '@/shared/copy/copy.given';
import { waitingCopy } from './copy';
import { fetchWaitingFor, postOrder } from './orderApi';
import { forgetOrder, isUnresolved, rememberOrder } from './unresolvedOrders';

/** One confirmed order. Everything in it is fixed at the confirm, so that sending it again can never order twice. */
export interface OrderAttempt {
  category: Category;
  body: OrderBody & { reqSid: string };
  /** The waiting orders known before sending; null when they could not be read. */
  waitingBefore: readonly number[] | null;
}

/** How an attempt ended, as far as anybody can tell. */
export type AttemptOutcome =
  | { kind: 'done'; reply: OrderReply }
  /** The answer was lost, but the order is in the waiting list. */
  | { kind: 'found'; order: Order }
  /** The server's own sentence, possibly empty. */
  | { kind: 'refused'; message: string }
  /** Accepted, and ended at once without a fill. */
  | { kind: 'ended'; reason: string }
  /** No answer, and no trace of the order: it may have filled, and it may never have arrived. */
  | { kind: 'unknown' };

export function newAttempt(category: Category, body: OrderBody, waitingBefore: readonly Order[] | null): OrderAttempt {
  return {
    category,
    body: { ...body, reqSid: newRequestId() },
    waitingBefore: waitingBefore?.map(({ orderSid }) => orderSid) ?? null,
  };
}

/** Sends the attempt once. When the answer is lost the server is asked what it has before anything else is offered. */
export async function sendAttempt(attempt: OrderAttempt): Promise<AttemptOutcome> {
  const { reqSid } = attempt.body;
  const wasSent = isUnresolved(reqSid);
  rememberOrder(attempt);
  const outcome = await answerTo(attempt, wasSent);
  if (outcome.kind !== 'unknown') forgetOrder(reqSid);
  return outcome;
}

async function answerTo(attempt: OrderAttempt, wasSent: boolean): Promise<AttemptOutcome> {
  try {
    return outcomeOf(await postOrder(attempt.category, attempt.body));
  } catch (thrown) {
    const problem = problemFromThrown(thrown);
    if (!isUndecided(problem) && !(wasSent && isOfThisSending(problem))) {
      return { kind: 'refused', message: problem.message || sentenceFor(problem) };
    }
    const order = await findWaiting(attempt);
    return order ? { kind: 'found', order } : { kind: 'unknown' };
  }
}

// Whoever is not known, not allowed or too fast now is told nothing of what was sent before.
function isOfThisSending({ status }: ApiProblem): boolean {
  return status === 401 || status === 403 || status === 429;
}

// While the first sending is still being worked on the server answers a repeat with "in progress": not a refusal.
function isUndecided(error: ApiProblem): boolean {
  return error.isOutcomeUnknown || isProblem(error, 'REQ_SID_IN_PROGRESS');
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

async function findWaiting({ category, body, waitingBefore }: OrderAttempt): Promise<Order | null> {
  if (waitingBefore === null) return null;
  const waiting = await fetchWaitingFor(category, body.memberSid, body.isuSrtCd).catch(() => []);
  return waiting.find((order) => !waitingBefore.includes(order.orderSid) && isSameOrder(order, body)) ?? null;
}

function isSameOrder(order: Order, body: OrderBody): boolean {
  const isBuy = body.orderGb === given.orderKinds.buy || body.orderGb === given.orderKinds.modifyBuy;
  const isSameSide = order.side === (isBuy ? 'BUY' : 'SELL');
  return isSameSide && order.juQty === body.juQty && (order.juPrc ?? null) === body.juPrc;
}
