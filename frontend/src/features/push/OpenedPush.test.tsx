import { act, screen, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw/http';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { endSession, startSession } from '@/shared/api/session';
import { renderApp } from '@/testing/renderApp';
import { server } from '@/testing/server';
import { MEMBER_SID } from '@/testing/wireSamples';
import { OpenedPush } from './OpenedPush';

let read: unknown[] = [];
const worker = new EventTarget();

beforeEach(() => {
  read = [];
  startSession({ accessToken: 'token', memberSid: MEMBER_SID });
  Object.defineProperty(navigator, 'serviceWorker', { value: worker, configurable: true });
  server.use(
    http.put('*/api/v1/notification/read', async ({ request }) => {
      read.push(await request.json());
      return HttpResponse.json({ unread: 0 });
    }),
  );
});
afterEach(() => {
  endSession('logout');
  Reflect.deleteProperty(navigator, 'serviceWorker');
});

it('marks the notification of the address as read and forgets it', async () => {
  renderApp(<OpenedPush memberSid={MEMBER_SID} />, { at: '/my/orders?tab=done&notification=77' });
  await waitFor(() => expect(screen.getByTestId('address')).toHaveTextContent('/my/orders?tab=done'));
  await waitFor(() => expect(read).toEqual([{ memberSid: MEMBER_SID, sids: [77] }]));
});

it('ignores what is no number', async () => {
  renderApp(<OpenedPush memberSid={MEMBER_SID} />, { at: '/home?notification=x' });
  await waitFor(() => expect(screen.getByTestId('address')).toHaveTextContent(/^\/home$/));
  expect(read).toEqual([]);
});

it('goes where the worker says, tells it so, and stays for anything else', async () => {
  renderApp(<OpenedPush memberSid={MEMBER_SID} />, { at: '/home' });
  const postMessage = vi.fn();
  const say = (data: unknown) => act(() => void worker.dispatchEvent(Object.assign(new Event('message'), { data, ports: [{ postMessage }] })));
  say({ type: 'open', path: '//elsewhere.example' });
  say({ type: 'keep', path: '/my' });
  expect(postMessage).not.toHaveBeenCalled();
  say({ type: 'open', path: '/my/orders?notification=78' });
  expect(postMessage).toHaveBeenCalledOnce();
  await waitFor(() => expect(read).toEqual([{ memberSid: MEMBER_SID, sids: [78] }]));
  expect(screen.getByTestId('address')).toHaveTextContent('/my/orders');
});
