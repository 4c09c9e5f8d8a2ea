import { QueryClientProvider } from '@tanstack/react-query';
import { act, render } from '@testing-library/react';
import { http, HttpResponse } from 'msw/http';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createQueryClient } from '@/shared/api/queryClient';
import { useUnread } from '@/shared/api/unread';
import { clearEarlyFills, emitFill, onFill } from '@/shared/realtime/fills';
import { emitNotice } from '@/shared/realtime/notices';
import { server } from '@/testing/server';
import { UnreadWatcher } from './UnreadWatcher';

let unread: number;
let asked: number;
let shown: number;

function Shown() {
  shown = useUnread();
  return null;
}
const view = (isMounted: boolean, queryClient = createQueryClient()) => (
  <QueryClientProvider client={queryClient}>
    {isMounted && <UnreadWatcher memberSid={7} />}
    <Shown />
  </QueryClientProvider>
);

beforeEach(() => {
  unread = 2;
  asked = 0;
  server.use(
    http.get('*/api/v1/notification/unread/7', () => {
      asked += 1;
      return HttpResponse.json({ unread, byType: [] });
    }),
  );
});
afterEach(clearEarlyFills);

it('counts at the start, at each notice, and a moment after a fill', async () => {
  const { rerender } = render(view(true));
  await vi.waitFor(() => expect(shown).toBe(2));
  unread = 5;
  act(() => emitNotice({ unread: 5 }));
  await vi.waitFor(() => expect(shown).toBe(5));
  await vi.waitFor(() => expect(asked).toBe(2));
  unread = 6;
  act(() => {
    emitFill({ fill: { orderSid: 1 }, order: {}, raw: {} });
    emitFill({ fill: { orderSid: 2 }, order: {}, raw: {} });
  });
  expect(asked).toBe(2);
  await vi.waitFor(() => expect(shown).toBe(6), { timeout: 5_000 });
  expect(asked).toBe(3);
  rerender(view(false));
  expect(shown).toBe(0);
});

it('counts no more what was taken back', async () => {
  render(view(true));
  await vi.waitFor(() => expect(shown).toBe(2));
  unread = 0;
  act(() => emitNotice({ unread: 0 }));
  await vi.waitFor(() => expect(shown).toBe(0));
});

it('leaves what was filled before it to a listener that came first', () => {
  emitFill({ fill: { orderSid: 1 }, order: {}, raw: {} });
  const heard: number[] = [];
  const stop = onFill(({ fill }) => heard.push(fill.orderSid));
  render(view(true));
  expect(heard).toEqual([1]);
  stop();
});
