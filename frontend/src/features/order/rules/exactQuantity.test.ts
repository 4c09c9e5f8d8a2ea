// @vitest-environment jsdom
import { http, HttpResponse } from 'msw/http';
import { beforeEach, expect, it } from 'vitest';
import { entryValue, prefilled } from '@/shared/ui/amountEntry';
import { server } from '@/testing/server';
import { MEMBER_SID, samsung, samsungTerms, waitingOrder } from '@/testing/wireSamples';
import { fetchTerms } from '@/features/order/orderApi';
import { fetchWaiting } from '@/features/order/waiting/waitingQuery';
import { newAttempt, sendAttempt } from '@/features/order/orderAttempt';
import { unresolvedOrders } from '@/features/order/unresolvedOrders';
import { modifyBody, placeBody } from './orderBodies';
import { findIssue } from './orderCheck';
import { maxQty, qtyForRatio } from './quantity';
import { toUnits } from './decimal';
import { termsExcluding } from './termsExcluding';

// Not representable as numbers: the first parses too high, the second too low.
const HELD = ['200000000.00000002', '100000000.00000002'];

let sent: string[] = [];
const anySignal = () => new AbortController().signal;
const jsonOf = (value: unknown, qty: string) => new HttpResponse(JSON.stringify(value).replace('"QTY"', qty), { headers: { 'Content-Type': 'application/json' } });

beforeEach(() => {
  sessionStorage.clear();
  sent = [];
  server.use(
    http.post('*/api/v1/coin/order', async ({ request }) => {
      sent.push(await request.text());
      return HttpResponse.error();
    }),
    http.post('*/api/v1/invest/close-request', () => HttpResponse.error()),
  );
});

it.each(HELD)('all of %s is sold, no more and no less, also on a retry', async (held) => {
  const terms = { ...samsungTerms, sellableQty: 'QTY', qtyStep: 0.000_000_01 };
  server.use(http.get('*/api/v1/invest/member/:id/code/:code', () => jsonOf(terms, held)));
  const read = await fetchTerms(MEMBER_SID, 'KRW-CHEAP', '00', null, anySignal());
  const qty = entryValue(prefilled(qtyForRatio(maxQty(read, 'sell'), 100, read.qtyStep), 8));
  const entry = { side: 'sell', kind: 'market', limitPrice: null, qty } as const;
  expect(findIssue(entry, read, null)).toBeNull();
  const body = placeBody(MEMBER_SID, 'coin', { acno: '00', item: samsung, entry, seenPrice: null, isRiskAccepted: false });
  await sendAttempt(newAttempt('coin', body));
  expect(sent[0]).toContain(`"juQty":${held},`);
  expect(sessionStorage.getItem('unresolved-orders')).toContain(`"juQty":${held},`);
  for (const attempt of unresolvedOrders(MEMBER_SID)) await sendAttempt(attempt);
  expect(sent[1]).toBe(sent[0]);
});

it.each(HELD)('a waiting order of %s is modified by its exact remainder', async (remainQty) => {
  server.use(http.get('*/api/v1/coin/wait/member/:sid', () => jsonOf([{ ...waitingOrder, remainQty: 'QTY' }], remainQty)));
  const [order] = await fetchWaiting('coin', MEMBER_SID, anySignal());
  if (!order) throw new Error('no order');
  const entry = { side: 'buy', kind: 'limit', limitPrice: 1, qty: 5 } as const;
  await sendAttempt(newAttempt('coin', modifyBody(MEMBER_SID, order, { acno: '00', item: samsung, entry, seenPrice: null, isRiskAccepted: false })));
  expect(sent[0]).toContain(`"remainQty":${remainQty}`);
});

it('a waiting sale never releases more than it holds', () => {
  const [left, waits] = [100_000_000.000_000_01, 100_000_000.000_000_01];
  const order = { ...waitingOrder, side: 'SELL', remainQty: waits } as const;
  const { sellableQty } = termsExcluding(order, { ...samsungTerms, sellableQty: left, qtyStep: 0.000_000_01 }, null);
  expect(sellableQty).toBeGreaterThan(199_999_999.999_999_9);
  expect(toUnits(sellableQty)).toBeLessThanOrEqual(toUnits(left) + toUnits(waits));
});
