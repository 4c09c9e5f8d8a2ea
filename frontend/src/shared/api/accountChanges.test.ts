// @vitest-environment jsdom
import { MutationObserver, QueryObserver } from '@tanstack/react-query';
import { afterEach, expect, it, vi } from 'vitest';
import { followAccountChanges } from './accountChanges';
import { createQueryClient } from './queryClient';
import { queryKeys } from './queryKeys';
import { endSession, startSession } from './session';

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
  endSession('logout');
});

/** A tab of the browser that shows the member's money and one public price. */
function openTab(member: number) {
  const queryClient = createQueryClient();
  const readMoney = vi.fn(() => Promise.resolve(1));
  const readPrice = vi.fn(() => Promise.resolve(1));
  stops.push(
    followAccountChanges(queryClient),
    new QueryObserver(queryClient, { queryKey: queryKeys.assets(member), queryFn: readMoney }).subscribe(() => undefined),
    new QueryObserver(queryClient, { queryKey: queryKeys.popular, queryFn: readPrice }).subscribe(() => undefined),
  );
  const order = (mutationFn: () => Promise<unknown>) =>
    new MutationObserver(queryClient, { mutationFn, networkMode: 'always' }).mutate().catch(() => undefined);
  return { readMoney, readPrice, order };
}

it.each([
  ['was taken', () => Promise.resolve('ok')],
  ['may have been taken', () => Promise.reject(new TypeError('Failed to fetch'))],
])('an order that %s in one tab is seen by the others at once', async (_how, answer) => {
  startSession({ accessToken: 'token', memberSid: 7 });
  const first = openTab(7);
  const second = openTab(7);
  await vi.waitFor(() => expect(second.readMoney).toHaveBeenCalledOnce());
  await first.order(answer);
  await vi.waitFor(() => expect(second.readMoney).toHaveBeenCalledTimes(2));
  expect(second.readPrice).toHaveBeenCalledOnce();
  // The tab that made the change refetches by itself, and a notified tab notifies nobody.
  expect(first.readMoney).toHaveBeenCalledOnce();
});

it('other members are not notified', async () => {
  startSession({ accessToken: 'token', memberSid: 7 });
  const first = openTab(7);
  const other = openTab(7);
  await vi.waitFor(() => expect(other.readMoney).toHaveBeenCalledOnce());
  startSession({ accessToken: 'token', memberSid: 8 });
  await first.order(() => {
    // Another member has signed in by the time the message arrives.
    setTimeout(() => startSession({ accessToken: 'token', memberSid: 9 }));
    return Promise.resolve();
  });
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(other.readMoney).toHaveBeenCalledOnce();
});
