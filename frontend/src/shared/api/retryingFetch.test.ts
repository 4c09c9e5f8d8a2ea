// @vitest-environment jsdom
import { http, HttpResponse } from 'msw/http';
import { beforeEach, expect, it, vi } from 'vitest';
import { server } from '@/testing/server';
import { waitForSlot } from './rateLimit';
import { retryingFetch } from './retryingFetch';

const ORDERS = '*/api/v1/orders';

let bodies: string[] = [];

/** Rejects the first calls. */
function limit(rejections: number, { code = 9006, retryAfter = '0' } = {}): void {
  server.use(
    http.post(ORDERS, async ({ request }) => {
      bodies.push(await request.text());
      if (bodies.length > rejections) return HttpResponse.json({ orderSid: 1 });
      const body = { code, reason: 'RATE_LIMITED', message: '', traceId: 't' };
      return HttpResponse.json(body, { status: 429, headers: { 'Retry-After': retryAfter } });
    }),
  );
}

const post = () => retryingFetch(new Request('http://localhost:8080/api/v1/orders', { method: 'POST', body: '{"juQty":1}' }));

beforeEach(() => {
  bodies = [];
});

it('repeats a rate-limited request with its body', async () => {
  limit(2);
  const answer = await post();
  expect(answer.status).toBe(200);
  expect(bodies).toEqual(['{"juQty":1}', '{"juQty":1}', '{"juQty":1}']);
});

it('waits for the requested delay', async () => {
  limit(1, { retryAfter: '1' });
  const began = performance.now();
  expect((await post()).status).toBe(200);
  expect(performance.now() - began).toBeGreaterThanOrEqual(990);
});

it('gives up after the third attempt', async () => {
  limit(9);
  expect((await post()).status).toBe(429);
  expect(bodies).toHaveLength(3);
});

it.each([
  ['a wait that nobody would sit through', { retryAfter: '6' }],
  ['another limit, which was judged by what was asked', { code: 3012 }],
  ['no time to come back', { retryAfter: 'soon' }],
])('leaves %s to the caller', async (_, rejection) => {
  limit(1, rejection);
  expect((await post()).status).toBe(429);
  expect(bodies).toHaveLength(1);
});

it('waits for the rate limit', async () => {
  limit(0);
  let come: () => void = () => undefined;
  vi.mocked(waitForSlot).mockReturnValueOnce(new Promise((resolve) => (come = resolve)));
  const answer = post();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(bodies).toEqual([]);
  come();
  expect((await answer).status).toBe(200);
});
