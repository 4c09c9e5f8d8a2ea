// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { setPreference } from './preferences';
import { haptic, setNativeHaptic } from './haptics';
import { requestNative, hasNativeShell, onNative, stopListeningToNative, sendToNative } from './nativeBridge';

interface Shell {
  ReactNativeWebView?: unknown;
  webkit?: unknown;
  AppBridge?: unknown;
  __app?: { receive: (message: unknown) => void };
}
const page = window as unknown as Shell;

/** The native side: the messages it received. */
let sent: { v: number; id: string; type: string; payload: unknown }[] = [];
const hear = (text: string) => sent.push(JSON.parse(text) as (typeof sent)[number]);
const say = (message: object) => page.__app?.receive(JSON.stringify({ v: 1, id: 'n1', ...message }));

beforeEach(() => {
  sent = [];
  page.ReactNativeWebView = { postMessage: hear };
});
afterEach(() => {
  stopListeningToNative();
  delete page.ReactNativeWebView;
  delete page.webkit;
  delete page.AppBridge;
  setNativeHaptic(null);
  vi.useRealTimers();
});

describe('messages to the shell', () => {
  it('go in a numbered envelope of version 1', () => {
    expect(sendToNative('login', { memberSid: 7 })).toBe(true);
    expect(sent).toEqual([{ v: 1, id: expect.stringMatching(/^w\d+$/) as string, type: 'login', payload: { memberSid: 7 } }]);
  });

  it('use each of the three transports, an object only where objects are understood', () => {
    delete page.ReactNativeWebView;
    const objects: unknown[] = [];
    page.webkit = { messageHandlers: { app: { postMessage: (message: unknown) => objects.push(message) } } };
    sendToNative('openStore', {});
    expect(objects).toMatchObject([{ v: 1, type: 'openStore' }]);
    delete page.webkit;
    page.AppBridge = { postMessage: hear };
    sendToNative('openStore', {});
    expect(sent).toMatchObject([{ type: 'openStore' }]);
  });

  it('fail without a shell, or by one that breaks, so that the caller falls back', () => {
    page.ReactNativeWebView = {
      postMessage: () => {
        throw new Error('gone');
      },
    };
    expect(sendToNative('openStore', {})).toBe(false);
    delete page.ReactNativeWebView;
    expect(hasNativeShell()).toBe(false);
    expect(sendToNative('openStore', {})).toBe(false);
  });
});

describe('a request to the shell', () => {
  it('is answered by the reply with its number', async () => {
    const asked = requestNative('pushPermission', {});
    page.__app?.receive({ v: 1, id: 'w999', type: 'reply', payload: { ok: true, data: 'wrong' } });
    page.__app?.receive({ v: 1, id: sent[0]?.id, type: 'reply', payload: { ok: true, data: 'granted' } });
    expect(await asked).toEqual({ data: 'granted' });
  });

  it('times out after three seconds', async () => {
    vi.useFakeTimers();
    const asked = requestNative('share', { title: '시드업', url: 'http://localhost:8080/' });
    let answer: unknown = 'open';
    void asked.then((value) => (answer = value));
    await vi.advanceTimersByTimeAsync(2_999);
    expect(answer).toBe('open');
    await vi.advanceTimersByTimeAsync(1);
    expect(answer).toBeNull();
  });
});

describe('a message from the shell', () => {
  it('reaches all listeners, by its function and by both kinds of message events', () => {
    const paths: string[] = [];
    const stop = onNative('deepLink', ({ path }) => paths.push(path));
    say({ type: 'deepLink', payload: { path: '/invest-v2/stock/005930' } });
    const message = (path: string) => ({ data: JSON.stringify({ v: 1, id: 'n2', type: 'deepLink', payload: { path } }) });
    document.dispatchEvent(new MessageEvent('message', message('/home')));
    window.dispatchEvent(new MessageEvent('message', message('/my')));
    expect(paths).toEqual(['/invest-v2/stock/005930', '/home', '/my']);
    stop();
    say({ type: 'deepLink', payload: { path: '/home' } });
    expect(paths).toHaveLength(3);
  });

  it.each([
    ['another site', { type: 'deepLink', payload: { path: '//evil.example' } }],
    ['a script', { type: 'deepLink', payload: { path: 'javascript:alert(1)' } }],
    ['a backslash', { type: 'deepLink', payload: { path: '/\\evil.example' } }],
    ['another version', { v: 2, type: 'deepLink', payload: { path: '/home' } }],
    ['an unknown kind', { type: 'eval', payload: { path: '/home' } }],
    ['no payload', { type: 'deepLink' }],
  ])('is dropped when it is %s', (_what, message) => {
    const heard = vi.fn();
    onNative('deepLink', heard);
    say(message);
    expect(heard).not.toHaveBeenCalled();
  });

  it('is dropped when it is not JSON, or comes from another window', () => {
    const heard = vi.fn();
    onNative('back', heard);
    page.__app?.receive('{');
    page.__app?.receive(undefined);
    const frame = document.body.appendChild(document.createElement('iframe'));
    const data = JSON.stringify({ v: 1, id: 'x', type: 'back', payload: {} });
    window.dispatchEvent(new MessageEvent('message', { data, source: frame.contentWindow }));
    expect(heard).not.toHaveBeenCalled();
    window.dispatchEvent(new MessageEvent('message', { data }));
    expect(heard).toHaveBeenCalledTimes(1);
  });
});

describe('vibration', () => {
  it('uses the shell, or else the browser, and nothing when switched off', () => {
    const vibrate = vi.fn(() => true);
    Object.assign(navigator, { vibrate });
    setPreference({ haptics: true });
    setNativeHaptic((kind) => sendToNative('haptic', { kind }));
    haptic('success');
    expect(sent).toMatchObject([{ type: 'haptic', payload: { kind: 'success' } }]);
    expect(vibrate).not.toHaveBeenCalled();
    delete page.ReactNativeWebView;
    haptic('error');
    expect(vibrate).toHaveBeenCalledTimes(1);
    setPreference({ haptics: false });
    haptic('error');
    expect(vibrate).toHaveBeenCalledTimes(1);
    setPreference({ haptics: true });
  });

  it('waits until the page was touched, as browsers require', () => {
    const vibrate = vi.fn(() => true);
    vi.stubGlobal('navigator', Object.assign(Object.create(navigator), { vibrate, userActivation: { hasBeenActive: false } }));
    setNativeHaptic(null);
    haptic('success');
    expect(vibrate).not.toHaveBeenCalled();
    vi.unstubAllGlobals();
  });
});
