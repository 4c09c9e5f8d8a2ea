import { http, HttpResponse } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import { server } from '@/testing/server';
import { newAttempt, sendAttempt } from './orderAttempt';
import { unresolvedOrders } from './unresolvedOrders';

const MEMBER = 7;
const buyOf = (juQty: number) =>
  newAttempt('stock', { isuSrtCd: '005930', memberSid: MEMBER, orderGb: '매수주문', orderCategory: 'STOCK', juPrc: null, juQty }, null);
const problem = (status: number, reason: string) =>
  HttpResponse.json({ code: status, reason, message: reason, traceId: '', fields: {} }, { status });
/** Each sending is answered by the next of these. */
const answers = (...list: (() => Response)[]): void => {
  server.use(http.post('*/api/v1/stock/order', () => (list.shift() ?? HttpResponse.error)()));
};
const lost = () => HttpResponse.error();

beforeEach(() => sessionStorage.clear());

test('what became of an order stays open when another one is refused', async () => {
  answers(lost, () => problem(422, 'INSUFFICIENT_CASH'));
  const first = buyOf(1);
  expect((await sendAttempt(first)).kind).toBe('unknown');
  expect((await sendAttempt(buyOf(2))).kind).toBe('refused');
  expect(unresolvedOrders(MEMBER)).toEqual([first]);
  expect(unresolvedOrders(MEMBER + 1)).toEqual([]);
});

test.each([
  [429, 'TOO_MANY_REQUESTS'],
  [403, 'FORBIDDEN'],
  [503, 'UNAVAILABLE'],
])('a repeat that is answered %s settles nothing', async (status, reason) => {
  answers(lost, () => problem(status, reason), () => problem(422, 'INSUFFICIENT_CASH'));
  const attempt = buyOf(1);
  await sendAttempt(attempt);
  expect((await sendAttempt(attempt)).kind).toBe('unknown');
  expect(unresolvedOrders(MEMBER)).toEqual([attempt]);
  expect((await sendAttempt(attempt)).kind).toBe('refused');
  expect(unresolvedOrders(MEMBER)).toEqual([]);
});

test('an order that is refused before it could reach anybody is settled', async () => {
  answers(() => problem(429, 'TOO_MANY_REQUESTS'));
  expect((await sendAttempt(buyOf(1))).kind).toBe('refused');
  expect(unresolvedOrders(MEMBER)).toEqual([]);
});
