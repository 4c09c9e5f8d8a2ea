// @vitest-environment jsdom
import { http, HttpResponse } from 'msw/http';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { endSession, startSession } from '@/shared/api/session';
import { server } from '@/testing/server';
import { MEMBER_SID } from '@/testing/wireSamples';
import { stopListeningToNative } from './nativeBridge';
import { pushState, renewPush, stopShowingPushes, subscribeToPush, unsubscribeFromPush } from './push';

const KEY = 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4';

/** The browser's side: its permission and its subscription. */
let permission: NotificationPermission = 'default';
let subscription: { endpoint: string; unsubscribe: () => Promise<boolean> } | null = null;
let asked: [string, unknown][] = [];
const subscribe = vi.fn(() => {
  subscription = subscribed('https://push.example.com/one');
  return Promise.resolve(subscription);
});

function subscribed(endpoint: string) {
  return {
    endpoint,
    options: { applicationServerKey: Uint8Array.from(atob(KEY.replace(/-/g, '+').replace(/_/g, '/')), (letter) => letter.charCodeAt(0)).buffer },
    toJSON: () => ({ keys: { p256dh: 'p', auth: 'a' } }),
    unsubscribe: vi.fn(() => {
      subscription = null;
      return Promise.resolve(true);
    }),
  };
}

/** The server does not hear the next time that pushes are turned off. */
const failToEndOnce = () =>
  server.use(http.delete('*/api/v1/notification/subscription', () => HttpResponse.json({ code: 9007 }, { status: 503 }), { once: true }));

const token = (session: string) => `x.${btoa(JSON.stringify({ sid: session, iat: Date.now() / 1_000, exp: Date.now() / 1_000 + 3 * 86_400 }))}.x`;
const logIn = (session: string, memberSid = MEMBER_SID) => startSession({ accessToken: token(session), memberSid });

beforeEach(() => {
  permission = 'default';
  subscription = null;
  asked = [];
  subscribe.mockClear();
  localStorage.clear();
  logIn('session-1');
  const registration = { pushManager: { getSubscription: () => Promise.resolve(subscription), subscribe } };
  const serviceWorker = { register: vi.fn(), getRegistration: () => Promise.resolve(registration), ready: Promise.resolve(registration) };
  Object.defineProperty(navigator, 'serviceWorker', { value: serviceWorker, configurable: true });
  vi.stubGlobal('PushManager', class {});
  vi.stubGlobal('Notification', {
    get permission() {
      return permission;
    },
    requestPermission: () => {
      if (permission === 'default') permission = 'granted';
      return Promise.resolve(permission);
    },
  });
  server.use(
    http.get('*/api/v1/notification/push-key', () => HttpResponse.json({ publicKey: KEY })),
    http.all('*/api/v1/notification/subscription', async ({ request }) => {
      asked.push([request.method, await request.json()]);
      return new HttpResponse(null, { status: 204 });
    }),
  );
});
afterEach(() => {
  vi.useRealTimers();
  endSession('logout');
  vi.unstubAllGlobals();
  Reflect.deleteProperty(navigator, 'serviceWorker');
});

describe('in a browser', () => {
  it('asks for permission, subscribes with the key of the installation and tells the server', async () => {
    expect(await pushState()).toBe('off');
    expect(await subscribeToPush(MEMBER_SID)).toBe('on');
    expect(subscribe).toHaveBeenCalledWith({ userVisibleOnly: true, applicationServerKey: expect.any(Uint8Array) as unknown });
    expect(asked).toEqual([['POST', { memberSid: MEMBER_SID, kind: 'WEB', endpoint: 'https://push.example.com/one', p256dh: 'p', auth: 'a' }]]);
    expect(await pushState()).toBe('on');
  });

  it('says what the browser refuses or lacks', async () => {
    permission = 'denied';
    expect(await pushState()).toBe('blocked');
    expect(await subscribeToPush(MEMBER_SID)).toBe('blocked');
    vi.stubGlobal('Notification', undefined);
    Reflect.deleteProperty(window, 'Notification');
    expect(await pushState()).toBe('unsupported');
    expect(asked).toEqual([]);
  });

  it('is not possible without a key', async () => {
    server.use(http.get('*/api/v1/notification/push-key', () => HttpResponse.json({ publicKey: null })));
    expect(await subscribeToPush(MEMBER_SID)).toBe('unsupported');
    expect(asked).toEqual([]);
  });

  it('stays off when the server does not take it', async () => {
    server.use(http.post('*/api/v1/notification/subscription', () => HttpResponse.json({ code: 2022 }, { status: 422 })));
    await expect(subscribeToPush(MEMBER_SID)).rejects.toMatchObject({ code: 2022 });
    expect(await pushState()).toBe('off');
  });

  it('tells the server again after a new login or with a new address, and not otherwise', async () => {
    await subscribeToPush(MEMBER_SID);
    await renewPush(MEMBER_SID);
    expect(asked).toHaveLength(1);
    endSession('logout');
    logIn('session-2');
    await renewPush(MEMBER_SID);
    expect(asked).toHaveLength(2);
    subscription = subscribed('https://push.example.com/two');
    vi.setSystemTime(Date.now() + 24 * 3_600_000);
    await renewPush(MEMBER_SID);
    expect(asked[2]).toMatchObject(['POST', { endpoint: 'https://push.example.com/two' }]);
  });

  it('looks for another address once a day, whatever comes of it', async () => {
    await subscribeToPush(MEMBER_SID);
    subscription = null;
    const keys = vi.fn(() => HttpResponse.json({ publicKey: null }));
    server.use(http.get('*/api/v1/notification/push-key', keys));
    for (let start = 0; start < 3; start += 1) await renewPush(MEMBER_SID);
    expect(keys).not.toHaveBeenCalled();
    vi.setSystemTime(Date.now() + 24 * 3_600_000);
    for (let start = 0; start < 3; start += 1) await renewPush(MEMBER_SID);
    expect(keys).toHaveBeenCalledOnce();
    expect(asked).toHaveLength(1);
  });

  it('belongs to the member who turned it on', async () => {
    await subscribeToPush(MEMBER_SID);
    endSession('logout');
    logIn('session-3', MEMBER_SID + 1);
    await renewPush(MEMBER_SID + 1);
    expect(asked).toHaveLength(1);
    expect(await pushState()).toBe('off');
  });

  it('shows nothing after a logout, and comes back with the next login of the member', async () => {
    await subscribeToPush(MEMBER_SID);
    await stopShowingPushes();
    endSession('logout');
    expect(subscription).toBeNull();
    logIn('session-2', MEMBER_SID + 1);
    await renewPush(MEMBER_SID + 1);
    expect(await pushState()).toBe('off');
    endSession('logout');
    logIn('session-3');
    await renewPush(MEMBER_SID);
    expect(await pushState()).toBe('on');
    expect(asked.map(([method]) => method)).toEqual(['POST', 'POST']);
  });

  it('comes back with the next visit when the browser could not subscribe after the login', async () => {
    await subscribeToPush(MEMBER_SID);
    await stopShowingPushes();
    endSession('logout');
    logIn('session-2');
    subscribe.mockRejectedValueOnce(new DOMException('', 'AbortError'));
    await renewPush(MEMBER_SID);
    expect(await pushState()).toBe('off');
    await renewPush(MEMBER_SID);
    expect(await pushState()).toBe('on');
    expect(asked.map(([method]) => method)).toEqual(['POST', 'POST']);
  });

  it('is not renewed with the subscription that a logout is just ending', async () => {
    await subscribeToPush(MEMBER_SID);
    const stopped = stopShowingPushes();
    endSession('logout');
    logIn('session-2');
    await Promise.all([stopped, renewPush(MEMBER_SID)]);
    expect(subscribe).toHaveBeenCalledTimes(2);
    expect(await pushState()).toBe('on');
  });

  it('waits no longer than some seconds for the end of the subscription', async () => {
    await subscribeToPush(MEMBER_SID);
    let end: () => void = () => undefined;
    subscription = {
      ...subscribed('https://push.example.com/one'),
      unsubscribe: () => new Promise((resolve) => (end = () => resolve(true))),
    };
    const stopped = stopShowingPushes();
    endSession('logout');
    logIn('session-2');
    vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setTimeout'] });
    const renewed = renewPush(MEMBER_SID);
    await vi.advanceTimersByTimeAsync(5_000);
    await renewed;
    expect(asked.map(([method]) => method)).toEqual(['POST', 'POST']);
    end();
    await stopped;
  });

  it('has nothing to end in a browser without pushes', async () => {
    Reflect.deleteProperty(navigator, 'serviceWorker');
    await expect(stopShowingPushes()).resolves.toBeUndefined();
  });

  it('is turned off here and on the server', async () => {
    await subscribeToPush(MEMBER_SID);
    await unsubscribeFromPush(MEMBER_SID);
    expect(asked[1]).toEqual(['DELETE', { memberSid: MEMBER_SID, kind: 'WEB', endpoint: 'https://push.example.com/one' }]);
    expect(subscription).toBeNull();
    expect(await pushState()).toBe('off');
  });

  it('shows nothing, but can be turned off again, when the server did not hear that it is off', async () => {
    await subscribeToPush(MEMBER_SID);
    failToEndOnce();
    await expect(unsubscribeFromPush(MEMBER_SID)).rejects.toMatchObject({ code: 9007 });
    expect(subscription).toBeNull();
    expect(await pushState()).toBe('on');
    await unsubscribeFromPush(MEMBER_SID);
    expect(asked.slice(1)).toEqual([['DELETE', { memberSid: MEMBER_SID, kind: 'WEB', endpoint: 'https://push.example.com/one' }]]);
    expect(await pushState()).toBe('off');
  });

  it('is turned off on the server, too, when the browser fails to, and then once more', async () => {
    await subscribeToPush(MEMBER_SID);
    subscription = { ...subscribed('https://push.example.com/one'), unsubscribe: () => Promise.reject(new Error('no push service')) };
    await expect(unsubscribeFromPush(MEMBER_SID)).rejects.toThrow('no push service');
    expect(asked.slice(1)).toEqual([['DELETE', { memberSid: MEMBER_SID, kind: 'WEB', endpoint: 'https://push.example.com/one' }]]);
    expect(await pushState()).toBe('on');
    subscription = subscribed('https://push.example.com/one');
    await unsubscribeFromPush(MEMBER_SID);
    expect(await pushState()).toBe('off');
  });

  it('is turned off by the next visit, if not before', async () => {
    await subscribeToPush(MEMBER_SID);
    failToEndOnce();
    await expect(unsubscribeFromPush(MEMBER_SID)).rejects.toMatchObject({ code: 9007 });
    await renewPush(MEMBER_SID);
    expect(asked.slice(1).map(([method]) => method)).toEqual(['DELETE']);
    expect(subscribe).toHaveBeenCalledOnce();
    expect(await pushState()).toBe('off');
  });
});

describe('inside a native shell', () => {
  const page = window as unknown as { ReactNativeWebView?: unknown; __app?: { receive: (message: unknown) => void } };
  afterEach(() => {
    stopListeningToNative();
    delete page.ReactNativeWebView;
    vi.restoreAllMocks();
  });
  const shell = (isAllowed: boolean) => {
    page.ReactNativeWebView = {
      postMessage: (text: string) => {
        const { id, type } = JSON.parse(text) as { id: string; type: string };
        if (type !== 'pushPermission') return;
        queueMicrotask(() => {
          if (isAllowed) page.__app?.receive({ v: 1, id: 'n1', type: 'pushToken', payload: { token: 'token-of-the-system' } });
          page.__app?.receive({ v: 1, id, type: 'reply', payload: { ok: isAllowed } });
        });
      },
    };
  };

  it.each([
    ['ios', 'APNS'],
    ['android', 'FCM'],
  ])('sends the token of %s', async (platform, kind) => {
    vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(`InvestApp/${platform}/1.0`);
    shell(true);
    expect(await subscribeToPush(MEMBER_SID)).toBe('on');
    expect(asked).toEqual([['POST', { memberSid: MEMBER_SID, kind, token: 'token-of-the-system' }]]);
    expect(await pushState()).toBe('on');
    await unsubscribeFromPush(MEMBER_SID);
    expect(asked[1]).toEqual(['DELETE', { memberSid: MEMBER_SID, kind, token: 'token-of-the-system' }]);
    expect(await pushState()).toBe('off');
  });

  it('can be turned off again when the server did not hear that it is off', async () => {
    vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('InvestApp/ios/1.0');
    shell(true);
    await subscribeToPush(MEMBER_SID);
    failToEndOnce();
    await expect(unsubscribeFromPush(MEMBER_SID)).rejects.toMatchObject({ code: 9007 });
    expect(await pushState()).toBe('on');
    await unsubscribeFromPush(MEMBER_SID);
    expect(asked.slice(1)).toEqual([['DELETE', { memberSid: MEMBER_SID, kind: 'APNS', token: 'token-of-the-system' }]]);
    expect(await pushState()).toBe('off');
  });

  it('is blocked when the system refuses', async () => {
    shell(false);
    expect(await subscribeToPush(MEMBER_SID)).toBe('blocked');
    expect(asked).toEqual([]);
  });
});
