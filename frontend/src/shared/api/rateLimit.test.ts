import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { waitForSlot } from './rateLimit';

vi.unmock('./rateLimit');

/** The gateway's limit: a burst, and as many a second. */
const LIMIT = 20;

let sentMs: number[] = [];
const ask = (method = 'GET') =>
  waitForSlot(new Request('http://localhost:8080/api/v1/data', { method })).then(() => void sentMs.push(performance.now()));

beforeEach(() => {
  vi.useFakeTimers();
  sentMs = [];
});
afterEach(() => vi.useRealTimers());

it('a screen is sent at once, and a burst stays below the limit of the gateway', async () => {
  for (let call = 0; call < 100; call += 1) void ask();
  await vi.advanceTimersByTimeAsync(0);
  expect(sentMs).toHaveLength(16);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(sentMs).toHaveLength(100);
  let left = LIMIT;
  let beforeMs = 0;
  for (const atMs of sentMs) {
    left = Math.min(left + ((atMs - beforeMs) * LIMIT) / 1_000, LIMIT) - 1;
    beforeMs = atMs;
    expect(left).toBeGreaterThanOrEqual(0);
  }
});

it('writes do not wait for reads', async () => {
  await vi.advanceTimersByTimeAsync(60_000);
  for (let call = 0; call < 30; call += 1) void ask();
  void ask('POST');
  await vi.advanceTimersByTimeAsync(0);
  expect(sentMs).toHaveLength(17);
  // It still counts.
  await vi.advanceTimersByTimeAsync(66);
  expect(sentMs).toHaveLength(18);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sentMs).toHaveLength(31);
});
