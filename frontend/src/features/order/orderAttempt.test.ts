// @vitest-environment jsdom
import { http, HttpResponse } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import { server } from '@/testing/server';
import { filledOrder, replyTo } from '@/testing/wireSamples';
import { resolveAttempt, newAttempt, sendAttempt } from './orderAttempt';
import { unresolvedOrders } from './unresolvedOrders';

const MEMBER = 7;
const buyOf = (juQty: number) =>
  newAttempt('stock', { isuSrtCd: '005930', memberSid: MEMBER, orderGb: '매수주문', orderCategory: 'STOCK', juPrc: null, juQty });
const problem = (status: number, reason: string, code = 3_000 + (status % 100)) =>
  HttpResponse.json({ code, reason, message: reason, traceId: '', fields: {} }, { status });
type Answers = (() => Response)[];
let asked: unknown[] = [];

/** Each send takes the next of `orders`, each query the next of `questions`; without one the reply is lost. */
const answers = (orders: Answers, questions: Answers = []): void => {
  server.use(
    http.post('*/api/v1/stock/order', () => (orders.shift() ?? lost)()),
    http.post('*/api/v1/invest/close-request', async ({ request }) => {
      asked.push(await request.json());
      return (questions.shift() ?? lost)();
    }),
  );
};
const lost = () => HttpResponse.error();
const isFilled = () => HttpResponse.json(replyTo(filledOrder));

beforeEach(() => {
  sessionStorage.clear();
  asked = [];
});

test('an order stays unresolved when another one is rejected', async () => {
  answers([lost, () => problem(422, 'INSUFFICIENT_CASH')]);
  const first = buyOf(1);
  expect((await sendAttempt(first)).kind).toBe('unknown');
  expect((await sendAttempt(buyOf(2))).kind).toBe('rejected');
  expect(unresolvedOrders(MEMBER)).toEqual([first]);
  expect(unresolvedOrders(MEMBER + 1)).toEqual([]);
});

test('after a lost reply the outcome is queried by request id, not guessed from the waiting orders', async () => {
  answers([lost, lost], [isFilled, () => problem(422, 'ORDER_NOT_RECEIVED')]);
  const first = buyOf(3);
  expect(await sendAttempt(first)).toMatchObject({ kind: 'done', reply: { order: { status: 'FILLED' } } });
  expect(await sendAttempt(buyOf(3))).toEqual({ kind: 'rejected', message: 'ORDER_NOT_RECEIVED' });
  expect(asked[0]).toEqual({ memberSid: MEMBER, reqSid: first.body.reqSid });
  expect(unresolvedOrders(MEMBER)).toEqual([]);
});

test.each([
  [408, 'REQUEST_TIMEOUT', 9_012],
  [429, 'TOO_MANY_REQUESTS', 9_006],
  [429, 'ORDER_RATE', 3_012],
  [403, 'FORBIDDEN_MEMBER', 2_001],
  [503, 'UNAVAILABLE', 9_007],
  [503, 'MARKET_UNAVAILABLE', 3_020],
  [409, 'REQ_SID_IN_PROGRESS', 3_018],
])('a retry answered with %s %s resolves nothing', async (status, reason, code) => {
  answers([lost, () => problem(status, reason, code), () => problem(422, 'INSUFFICIENT_CASH')]);
  const attempt = buyOf(1);
  await sendAttempt(attempt);
  expect((await sendAttempt(attempt)).kind).toBe('unknown');
  expect(unresolvedOrders(MEMBER)).toEqual([attempt]);
  expect((await sendAttempt(attempt)).kind).toBe('rejected');
  expect(unresolvedOrders(MEMBER)).toEqual([]);
});

test.each([
  [401, 'Authentication is invalid', 1_205],
  [404, 'NOT_FOUND', 9_002],
  [408, 'REQUEST_TIMEOUT', 9_012],
  [429, 'TOO_MANY_REQUESTS', 9_006],
  [503, 'UNAVAILABLE', 9_007],
  [409, 'REQ_SID_IN_PROGRESS', 3_018],
])('a query answered with %s %s resolves nothing', async (status, reason, code) => {
  answers([], [lost, () => problem(status, reason, code), isFilled]);
  const attempt = buyOf(1);
  await sendAttempt(attempt);
  expect((await resolveAttempt(attempt)).kind).toBe('unknown');
  expect(unresolvedOrders(MEMBER)).toEqual([attempt]);
  expect((await resolveAttempt(attempt)).kind).toBe('done');
  expect(unresolvedOrders(MEMBER)).toEqual([]);
});

test.each([
  [408, 'REQUEST_TIMEOUT', 9_012],
  [429, 'TOO_MANY_REQUESTS', 9_006],
  [503, 'MARKET_UNAVAILABLE', 3_020],
])('a rejection with %s %s before trading saw the order is final', async (status, reason, code) => {
  answers([() => problem(status, reason, code)]);
  expect((await sendAttempt(buyOf(1))).kind).toBe('rejected');
  expect(unresolvedOrders(MEMBER)).toEqual([]);
  expect(asked).toEqual([]);
});
