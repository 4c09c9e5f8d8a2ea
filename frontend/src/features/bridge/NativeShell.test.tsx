import { act, screen, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw/http';
import { Route, Routes } from 'react-router';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { endSession, startSession } from '@/shared/api/session';
import { haptic } from '@/shared/platform/haptics';
import { stopListeningToNative } from '@/shared/platform/nativeBridge';
import { shareScreen } from '@/shared/platform/share';
import { chooseTheme } from '@/shared/platform/theme';
import { renderApp } from '@/testing/renderApp';
import { server } from '@/testing/server';
import { MEMBER_SID, problem } from '@/testing/wireSamples';
import { NativeShell } from './NativeShell';

interface Shell {
  ReactNativeWebView?: unknown;
  __app?: { receive: (message: unknown) => void };
}
const page = window as unknown as Shell;

/** A native shell that records the messages it receives. */
let sent: { type: string; payload: unknown }[] = [];
let os: unknown[] = [];
const say = (type: string, payload: object) => act(() => page.__app?.receive({ v: 1, id: 'n1', type, payload }));
const sentOf = (type: string) => sent.filter((message) => message.type === type).map(({ payload }) => payload);

const open = () =>
  renderApp(
    <>
      <Routes>
        <Route path="*" element={<p>screen</p>} />
      </Routes>
      <NativeShell />
    </>,
    { at: '/my/holdings' },
  );

beforeEach(() => {
  sent = [];
  os = [];
  page.ReactNativeWebView = { postMessage: (text: string) => sent.push(JSON.parse(text) as (typeof sent)[number]) };
  server.use(
    http.patch('*/api/v1/member/os/:id', async ({ request, params }) => {
      os.push([params.id, await request.json()]);
      return new HttpResponse(null, { status: 204 });
    }),
  );
});
afterEach(() => {
  endSession('logout');
  stopListeningToNative();
  delete page.ReactNativeWebView;
  document.documentElement.removeAttribute('style');
  chooseTheme('system');
});

describe('inside a native shell', () => {
  it('reports that it is ready, who is signed in, and the status bar colour', async () => {
    startSession({ accessToken: 'token', memberSid: MEMBER_SID });
    open();
    expect(sentOf('ready')).toHaveLength(1);
    expect(sentOf('login')).toEqual([{ memberSid: MEMBER_SID }]);
    expect(sentOf('statusBar')).toEqual([{ dark: false }]);
    act(() => chooseTheme('dark'));
    expect(sentOf('statusBar')).toEqual([{ dark: false }, { dark: true }]);
    act(() => endSession('logout'));
    expect(sentOf('logout')).toHaveLength(1);
    await waitFor(() => expect(os).toEqual([[String(MEMBER_SID), { os: 'web' }]]));
  });

  it('waits for a late shell', async () => {
    const transport = page.ReactNativeWebView;
    delete page.ReactNativeWebView;
    vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('InvestApp/ios/1.0');
    vi.useFakeTimers();
    open();
    await act(() => vi.advanceTimersByTimeAsync(500));
    expect(sent).toEqual([]);
    page.ReactNativeWebView = transport;
    await act(() => vi.advanceTimersByTimeAsync(1_000));
    vi.useRealTimers();
    vi.restoreAllMocks();
    expect(sentOf('ready')).toHaveLength(1);
    say('deepLink', { path: '/my' });
    expect(screen.getByTestId('address')).toHaveTextContent('/my');
  });

  it('follows deep links and back, and reports what back would do', () => {
    open();
    expect(sentOf('backState').at(-1)).toEqual({ canGoBack: false, overlay: false });
    say('deepLink', { path: '/invest-v2/stock/005930?x=1' });
    expect(screen.getByTestId('address')).toHaveTextContent('/invest-v2/stock/005930?x=1');
    expect(sentOf('backState').at(-1)).toEqual({ canGoBack: true, overlay: false });
    say('back', {});
    expect(screen.getByTestId('address')).toHaveTextContent('/my/holdings');
  });

  it('takes the text size and the safe area from the device', () => {
    open();
    say('fontScale', { scale: 1.6 });
    expect(document.documentElement.style.fontSize).toBe('160%');
    say('fontScale', { scale: 40 });
    expect(document.documentElement.style.fontSize).toBe('160%');
    say('safeArea', { top: 47, right: 0, bottom: 34, left: 0 });
    expect(document.documentElement.style.getPropertyValue('--safe-bottom')).toBe('34px');
  });

  it('shares through the shell, or through the browser when the shell rejects it', async () => {
    open();
    const answer = (ok: boolean) => {
      const { id } = sent.findLast(({ type }) => type === 'share') as { id?: string };
      return act(() => page.__app?.receive({ v: 1, id, type: 'reply', payload: { ok } }));
    };
    const taken = shareScreen('삼성전자');
    expect(sentOf('share')).toEqual([{ title: '삼성전자', url: location.href }]);
    answer(true);
    expect(await taken).toBe('sheet');
    const rejected = shareScreen('삼성전자');
    answer(false);
    expect(await rejected).not.toBe('sheet');
  });

  it('vibrates through the shell while there is one', () => {
    const { unmount } = open();
    haptic('warning');
    expect(sentOf('haptic')).toEqual([{ kind: 'warning' }]);
    unmount();
    haptic('warning');
    expect(sentOf('haptic')).toHaveLength(1);
  });
});

describe('reporting the platform to the server', () => {
  it('is ignored when it fails, and repeated at the next sign-in', async () => {
    let tries = 0;
    server.use(
      http.patch('*/api/v1/member/os/:id', () => {
        tries += 1;
        return problem(422, 9007, 'UNAVAILABLE');
      }),
    );
    startSession({ accessToken: 'token', memberSid: 77 });
    const { unmount } = open();
    await waitFor(() => expect(tries).toBe(1));
    unmount();
    open();
    await waitFor(() => expect(tries).toBe(2));
  });
});
