// @vitest-environment jsdom
import { type QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type ApiProblem, problemFrom } from './apiProblem';
import { createQueryClient } from './queryClient';

let queryClient: QueryClient;
let stop: () => void = () => undefined;

/** A query on the screen whose first calls fail. */
function show(failures: ApiProblem[]) {
  const queryFn = vi.fn(() => {
    const failure = failures.shift();
    return failure ? Promise.reject(failure) : Promise.resolve('answer');
  });
  const observer = new QueryObserver(queryClient, { queryKey: ['data'], queryFn });
  stop = observer.subscribe(() => undefined);
  return { queryFn, result: () => observer.getCurrentResult() };
}

const problem = (status: number, code: number, headers?: HeadersInit) =>
  problemFrom({ code }, new Response(null, { status, ...(headers && { headers }) }));
const tooMany = (retryAfterS: number) => problem(429, 9006, { 'Retry-After': String(retryAfterS) });

beforeEach(() => {
  vi.useFakeTimers();
  queryClient = createQueryClient();
});
afterEach(() => {
  stop();
  queryClient.clear();
  vi.useRealTimers();
});

it('a rate-limited query is retried when the server allows, and never shown as a failure', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
  const { queryFn, result } = show([tooMany(7), tooMany(7), tooMany(7)]);
  for (let time = 1; time <= 3; time += 1) {
    await vi.advanceTimersByTimeAsync(7_499);
    expect([queryFn.mock.calls.length, result().status]).toEqual([time, 'pending']);
    await vi.advanceTimersByTimeAsync(1);
  }
  await vi.advanceTimersByTimeAsync(0);
  expect(result()).toMatchObject({ status: 'success', data: 'answer' });
});

it.each([
  ['a wait nobody would sit through', tooMany(61)],
  ['no time to come back', problem(429, 9006)],
  ['another limit', problem(429, 3012, { 'Retry-After': '1' })],
  ['a rejection', problem(404, 4001)],
])('%s is shown at once', async (_, failure) => {
  const { queryFn, result } = show([failure]);
  await vi.advanceTimersByTimeAsync(0);
  expect(result().status).toBe('error');
  expect(queryFn).toHaveBeenCalledTimes(1);
});

it('a failing server is retried with exponential backoff', async () => {
  const { queryFn } = show(Array.from({ length: 4 }, () => problem(500, 9001)));
  for (const [waitMs, calls] of [[0, 1], [999, 1], [1, 2], [1_999, 2], [1, 3], [4_000, 4], [60_000, 4]] as const) {
    await vi.advanceTimersByTimeAsync(waitMs);
    expect(queryFn).toHaveBeenCalledTimes(calls);
  }
});
