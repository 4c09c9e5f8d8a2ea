import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { queryKeys } from '@/shared/api/queryKeys';
import { createAccountRefetcher } from './refetchAccount';

const MEMBER_SID = 100_000;

const queryClient = new QueryClient();
let stops: (() => void)[] = [];

/** A part of the account on the screen. */
function show(name: string, read: () => Promise<unknown> = () => Promise.resolve(name)) {
  const queryFn = vi.fn(read);
  const observer = new QueryObserver(queryClient, { queryKey: [...queryKeys.account(MEMBER_SID), name], queryFn, staleTime: Infinity });
  stops.push(observer.subscribe(() => undefined));
  return queryFn;
}

function createRefetcher() {
  const made = createAccountRefetcher(queryClient);
  stops.push(made.stop);
  return made;
}

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  for (const stop of stops) stop();
  stops = [];
  queryClient.clear();
  vi.useRealTimers();
});

it('refetches at once, and once more for any number of fills within a second', async () => {
  const assets = show('assets');
  await vi.advanceTimersByTimeAsync(0);
  const { refetch } = createRefetcher();
  for (let fill = 0; fill < 10; fill += 1) {
    refetch();
    await vi.advanceTimersByTimeAsync(10);
  }
  expect(assets).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(assets).toHaveBeenCalledTimes(3);
});

it('after an interruption refetches only what is older and not being fetched', async () => {
  const old = show('assets');
  await vi.advanceTimersByTimeAsync(1_000);
  const lostAtMs = Date.now();
  await vi.advanceTimersByTimeAsync(1_000);
  const read = show('holdings');
  const beingRead = show('waiting', () => new Promise(() => undefined));
  await vi.advanceTimersByTimeAsync(1_000);
  createRefetcher().refetch(lostAtMs);
  await vi.advanceTimersByTimeAsync(0);
  expect([old, read, beingRead].map(({ mock }) => mock.calls.length)).toEqual([2, 1, 1]);
});

it('of two calls during the pause the wider one wins', async () => {
  const lostAtMs = Date.now();
  await vi.advanceTimersByTimeAsync(1_000);
  const assets = show('assets');
  await vi.advanceTimersByTimeAsync(0);
  const { refetch } = createRefetcher();
  refetch(lostAtMs);
  refetch();
  refetch(lostAtMs);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(assets).toHaveBeenCalledTimes(2);
});
