// @vitest-environment jsdom
import { http, HttpResponse } from 'msw/http';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { memberSid, startSession } from '@/shared/api/session';
import { readAccessToken } from '@/shared/api/sessionCookies';
import { server } from '@/testing/server';
import { retryPendingLogout, logOut, sendPendingLogout } from './logOut';
import { signIn } from './sessionApi';

const LOGOUT = '*/api/v1/auth/logout';
let sentTokens: (string | null)[] = [];

/** What the server answers from now on. */
const answer = (reply: (token: string | null) => Response) =>
  server.use(
    http.post(LOGOUT, ({ request }) => {
      const token = request.headers.get('Authorization');
      sentTokens.push(token);
      return reply(token);
    }),
  );
const done = () => new HttpResponse(null, { status: 204 });

beforeEach(() => {
  sentTokens = [];
  startSession({ accessToken: 'token', memberSid: 100_000 });
});

describe('logging out', () => {
  it('ends the session here at once, and on the server', async () => {
    answer(done);
    const leaving = logOut();
    expect([memberSid(), readAccessToken()]).toEqual([null, null]);
    await leaving;
    await sendPendingLogout();
    expect(sentTokens).toEqual(['Bearer token']);
  });

  it('is sent with the cookie alone when the token is rejected', async () => {
    answer((token) => (token === null ? done() : new HttpResponse('{}', { status: 401 })));
    await logOut();
    expect(sentTokens).toEqual(['Bearer token', null]);
  });

  it('stays pending while auth is down, because the refresh cookie is cleared and a reply without it means nothing', async () => {
    answer((token) => (token === null ? done() : new HttpResponse('{}', { status: 503 })));
    await logOut();
    await sendPendingLogout();
    expect(sentTokens).toEqual(['Bearer token', 'Bearer token']);
    answer(done);
    await sendPendingLogout();
    await sendPendingLogout();
    expect(sentTokens).toEqual(['Bearer token', 'Bearer token', 'Bearer token']);
  });

  it('is sent after a reload with what the browser stored', async () => {
    answer(() => new HttpResponse('{}', { status: 503 }));
    await logOut();
    vi.resetModules();
    const reloaded = await import('./logOut');
    answer(done);
    sentTokens = [];
    await reloaded.sendPendingLogout();
    await reloaded.sendPendingLogout();
    expect(sentTokens).toEqual([null]);
  });

  it('made offline is sent as soon as the connection is back', async () => {
    answer(() => HttpResponse.error());
    await logOut();
    expect(memberSid()).toBeNull();
    const stop = retryPendingLogout();
    await vi.waitFor(() => expect(sentTokens).toEqual(['Bearer token', 'Bearer token']));
    answer(done);
    sentTokens = [];
    window.dispatchEvent(new Event('online'));
    await vi.waitFor(() => expect(sentTokens).toEqual(['Bearer token']));
    stop();
    await sendPendingLogout();
    expect(sentTokens).toHaveLength(1);
  });

  it('is sent before another login, and never afterwards', async () => {
    answer(() => HttpResponse.error());
    await logOut();
    sentTokens = [];
    const calls: string[] = [];
    answer(() => {
      calls.push('logout');
      return done();
    });
    server.use(
      http.post('*/api/v1/auth/login', () => {
        calls.push('login');
        return HttpResponse.json({ memberSid: 200_000, accessToken: 'theirs', refreshToken: null, expiresIn: 900 });
      }),
    );
    await signIn('a@example.com', 'a long password');
    await sendPendingLogout();
    expect(calls).toEqual(['logout', 'login']);
    expect(memberSid()).toBe(200_000);
  });

  it('is not sent during a login, or its reply would clear the new cookie', async () => {
    answer(() => HttpResponse.error());
    await logOut();
    let reply: (() => void) | undefined;
    server.use(
      http.post('*/api/v1/auth/login', async () => {
        await new Promise<void>((resolve) => (reply = resolve));
        return HttpResponse.json({ memberSid: 200_000, accessToken: 'theirs', refreshToken: null, expiresIn: 900 });
      }),
    );
    const entering = signIn('a@example.com', 'a long password');
    await vi.waitFor(() => expect(reply).toBeDefined());
    answer(done);
    sentTokens = [];
    const stop = retryPendingLogout();
    window.dispatchEvent(new Event('online'));
    // Whoever need not wait for the login has asked by now.
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(sentTokens).toEqual([]);
    reply?.();
    await entering;
    await sendPendingLogout();
    stop();
    expect(sentTokens).toEqual([]);
    expect([memberSid(), readAccessToken()]).toEqual([200_000, 'theirs']);
  });

  it('that could not be sent does not affect the next session', async () => {
    answer(() => HttpResponse.error());
    await logOut();
    startSession({ accessToken: 'theirs', memberSid: 200_000 });
    sentTokens = [];
    await sendPendingLogout();
    await sendPendingLogout();
    expect(sentTokens).toEqual([]);
    expect(memberSid()).toBe(200_000);
  });
});

describe('the pushes of the device', () => {
  /** Until a file is loaded. */
  const LOADS = { timeout: 15_000 };
  const subscribed = (unsubscribe: () => Promise<boolean>) => {
    const registration = { pushManager: { getSubscription: () => Promise.resolve({ unsubscribe }) } };
    const serviceWorker = { getRegistration: () => Promise.resolve(registration) };
    Object.defineProperty(navigator, 'serviceWorker', { value: serviceWorker, configurable: true });
  };
  afterEach(() => {
    Reflect.deleteProperty(navigator, 'serviceWorker');
  });

  it('end with a logout that no server receives', async () => {
    answer(() => HttpResponse.error());
    const unsubscribe = vi.fn(() => Promise.resolve(true));
    subscribed(unsubscribe);
    await logOut();
    expect(unsubscribe).toHaveBeenCalledOnce();
  });

  it('end with the next page when that of the logout was closed at once', async () => {
    answer(() => HttpResponse.error());
    const unfinished = vi.fn(() => new Promise<boolean>(() => undefined));
    subscribed(unfinished);
    void logOut();
    await vi.waitFor(() => expect([sentTokens.length, unfinished.mock.calls.length]).toEqual([1, 1]), LOADS);
    vi.resetModules();
    const reloaded = await import('./logOut');
    const unsubscribe = vi.fn(() => Promise.resolve(true));
    subscribed(unsubscribe);
    const stop = reloaded.retryPendingLogout();
    await vi.waitFor(() => expect(unsubscribe).toHaveBeenCalled(), LOADS);
    stop();
    answer(done);
    await reloaded.sendPendingLogout();
  });

  it('of a member who has logged in since stay', async () => {
    answer(() => HttpResponse.error());
    await logOut();
    startSession({ accessToken: 'theirs', memberSid: 200_000 });
    const getRegistration = vi.fn(() => Promise.resolve(undefined));
    Object.defineProperty(navigator, 'serviceWorker', { value: { getRegistration }, configurable: true });
    const stop = retryPendingLogout();
    await sendPendingLogout();
    await vi.dynamicImportSettled();
    stop();
    expect(getRegistration).not.toHaveBeenCalled();
  });

  it('do not fail the logout', async () => {
    answer(done);
    subscribed(() => Promise.reject(new Error('no push service')));
    await logOut();
    expect(sentTokens).toEqual(['Bearer token']);
  });

  it('do not delay it', async () => {
    answer(done);
    subscribed(() => new Promise(() => undefined));
    void logOut();
    await vi.waitFor(() => expect(sentTokens).toEqual(['Bearer token']));
  });
});
