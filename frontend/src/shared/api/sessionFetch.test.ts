// @vitest-environment jsdom
import { act, renderHook } from '@testing-library/react';
import { http, HttpResponse } from 'msw/http';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { server } from '@/testing/server';
import { tokenOf } from '@/testing/tokens';
import { ApiProblem } from './apiProblem';
import { endMaintenance, useMaintenance } from './maintenance';
import { endSession, memberSid, onSessionChange, startSession } from './session';
import { clearSessionCookies, readAccessToken, readMemberSid, writeSessionCookies } from './sessionCookies';
import { refreshSession, sessionFetch, withSessionLock } from './sessionFetch';
import { recordServerDate } from './tokenExpiry';

const REFRESH = '*/api/v1/auth/refresh-refresh-token';
const DATA = '*/api/v1/data/:id';

const problem = (code: number, reason: string, status = 401) =>
  HttpResponse.json({ code, reason, message: '', traceId: 't' }, { status, headers: { 'Content-Type': 'application/problem+json' } });
const bearer = (request: Request) => request.headers.get('Authorization');
const call = (id: number, init?: RequestInit) => sessionFetch(new Request(`http://localhost:8080/api/v1/data/${id}`, init));

beforeEach(() => startSession({ accessToken: 'old', memberSid: 100_000 }));

describe('an expired access token', () => {
  it('is refreshed once for ten concurrent calls, and each is repeated in order', async () => {
    let refreshes = 0;
    const replayed: string[] = [];
    server.use(
      http.post(REFRESH, async () => {
        refreshes += 1;
        await new Promise((resolve) => setTimeout(resolve, 20));
        return HttpResponse.json({ memberSid: 100_000, accessToken: 'new', refreshToken: null, expiresIn: 900 });
      }),
      http.get(DATA, ({ request, params }) => {
        if (bearer(request) !== 'Bearer new') return problem(1203, 'Authentication is expired');
        replayed.push(String(params.id));
        return HttpResponse.json({ id: params.id });
      }),
    );
    const ids = Array.from({ length: 10 }, (_, id) => id);
    const answers = await Promise.all(ids.map((id) => call(id)));
    expect(refreshes).toBe(1);
    expect(answers.every(({ ok }) => ok)).toBe(true);
    expect(replayed).toEqual(ids.map(String));
    expect(readAccessToken()).toBe('new');
  });

  it('repeats a body', async () => {
    const bodies: string[] = [];
    server.use(
      http.post(REFRESH, () => HttpResponse.json({ memberSid: 100_000, accessToken: 'new', refreshToken: null, expiresIn: 900 })),
      http.post(DATA, async ({ request }) => {
        bodies.push(await request.text());
        return bearer(request) === 'Bearer new' ? HttpResponse.json({}) : problem(1203, 'Authentication is expired');
      }),
    );
    const answer = await call(1, { method: 'POST', body: '{"a":1}' });
    expect(answer.ok).toBe(true);
    expect(bodies).toEqual(['{"a":1}', '{"a":1}']);
  });

  it('rejects every waiting call when the refresh is rejected, and ends the session', async () => {
    let refreshes = 0;
    server.use(
      http.post(REFRESH, async () => {
        refreshes += 1;
        await new Promise((resolve) => setTimeout(resolve, 20));
        return problem(1203, 'Expired');
      }),
      http.get(DATA, () => problem(1203, 'Authentication is expired')),
    );
    const answers = await Promise.allSettled(Array.from({ length: 10 }, (_, id) => call(id)));
    expect(refreshes).toBe(1);
    expect(answers.every(({ status }) => status === 'rejected')).toBe(true);
    expect(memberSid()).toBeNull();
    expect(readMemberSid()).toBeNull();
  });

  it('survives a refresh that failed on the network', async () => {
    server.use(
      http.post(REFRESH, () => HttpResponse.error()),
      http.get(DATA, () => problem(1203, 'Authentication is expired')),
    );
    await expect(call(1)).rejects.toBeInstanceOf(ApiProblem);
    expect(memberSid()).toBe(100_000);
  });

  it('does not loop when the new token is rejected as well', async () => {
    let calls = 0;
    server.use(
      http.post(REFRESH, () => HttpResponse.json({ memberSid: 100_000, accessToken: 'new', refreshToken: null, expiresIn: 900 })),
      http.get(DATA, () => {
        calls += 1;
        return problem(1203, 'Authentication is expired');
      }),
    );
    await call(1);
    expect(calls).toBe(2);
    expect(memberSid()).toBeNull();
  });

  it('is not refreshed again when another tab already did', async () => {
    await refreshSession('older than the cookie');
    expect(readAccessToken()).toBe('old');
  });
});

describe('a token about to expire', () => {
  const MINUTE_MS = 60_000;
  const old = () => tokenOf({ madeMs: Date.now() - 14.5 * MINUTE_MS, name: 'old' });
  const renewed = () => tokenOf({ madeMs: Date.now(), name: 'new' });
  let sent: (string | null)[] = [];
  let refreshes = 0;
  let laterMs = 0;

  /** Answers data calls, and refreshes with `refresh`. */
  const answer = (refresh: () => Response | Promise<Response>) =>
    server.use(
      http.post(REFRESH, () => {
        refreshes += 1;
        return refresh();
      }),
      http.all(DATA, ({ request }) => {
        sent.push(bearer(request));
        return HttpResponse.json({});
      }),
    );
  const tokens = (accessToken: string) => HttpResponse.json({ memberSid: 100_000, accessToken, refreshToken: null, expiresIn: 900 });

  beforeEach(() => {
    sent = [];
    refreshes = 0;
    vi.useFakeTimers({ toFake: ['Date', 'performance'] });
    // After the pause that a refresh which failed in an earlier test has left.
    laterMs += MINUTE_MS;
    vi.advanceTimersByTime(laterMs);
    // As after a reload: the device's clock is all that is known.
    recordServerDate(new Response(null, { headers: { Date: new Date().toUTCString() } }));
    writeSessionCookies({ accessToken: old(), memberSid: 100_000 });
  });
  afterEach(() => vi.useRealTimers());

  it('is refreshed once before any call is sent, and later calls wait, too', async () => {
    const next = renewed();
    let open: () => void = () => undefined;
    answer(async () => {
      await new Promise<void>((resolve) => (open = resolve));
      return tokens(next);
    });
    const early = Promise.all(Array.from({ length: 9 }, (_, id) => call(id)));
    await vi.waitFor(() => expect(refreshes).toBe(1));
    const late = call(9, { method: 'POST', body: '{}' });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(sent).toEqual([]);
    open();
    await Promise.all([early, late]);
    expect(refreshes).toBe(1);
    expect(sent).toEqual(Array.from({ length: 10 }, () => `Bearer ${next}`));
  });

  it('is not refreshed while it is valid for longer', async () => {
    answer(() => tokens(renewed()));
    writeSessionCookies({ accessToken: tokenOf({ madeMs: Date.now() - 13 * MINUTE_MS }), memberSid: 100_000 });
    await call(1);
    expect([refreshes, sent.length]).toEqual([0, 1]);
  });

  it('is refreshed once on a device whose clock is an hour ahead, too', async () => {
    const next = renewed();
    vi.setSystemTime(Date.now() + 60 * MINUTE_MS);
    answer(() => tokens(next));
    await call(1);
    await call(2);
    expect([refreshes, readAccessToken()]).toEqual([1, next]);
  });

  it('is still used while it cannot be refreshed, which is retried later', async () => {
    answer(() => problem(9007, 'UNAVAILABLE', 503));
    const token = readAccessToken();
    await call(1);
    await call(2);
    expect([refreshes, sent]).toEqual([1, [`Bearer ${token}`, `Bearer ${token}`]]);
    vi.advanceTimersByTime(15_000);
    await call(3);
    expect(refreshes).toBe(2);
  });

  it('ends the session before anything is sent when it is over', async () => {
    answer(() => problem(1203, 'Expired'));
    await expect(call(1)).rejects.toMatchObject({ reason: 'Expired' });
    expect([sent, memberSid()]).toEqual([[], null]);
  });

  it('is used at once by a request that survives its page, which a refresh does not', async () => {
    const token = readAccessToken();
    let open: () => void = () => undefined;
    answer(async () => {
      await new Promise<void>((resolve) => (open = resolve));
      return tokens(renewed());
    });
    const waiting = call(1);
    await vi.waitFor(() => expect(refreshes).toBe(1));
    const surviving = call(2, { method: 'PUT', body: '{}', keepalive: true });
    await vi.waitFor(() => expect(sent).toEqual([`Bearer ${token}`]));
    open();
    await Promise.all([waiting, surviving]);
  });

  it('is refreshed before such a request, too, once it has expired', async () => {
    const next = renewed();
    answer(() => tokens(next));
    writeSessionCookies({ accessToken: tokenOf({ madeMs: Date.now() - 16 * MINUTE_MS }), memberSid: 100_000 });
    await call(1, { method: 'PUT', body: '{}', keepalive: true });
    expect([refreshes, sent]).toEqual([1, [`Bearer ${next}`]]);
  });

  it('does not delay a login, which holds the session lock', async () => {
    answer(() => tokens(renewed()));
    server.use(http.post('*/api/v1/auth/login', () => HttpResponse.json({})));
    const login = () => sessionFetch(new Request('http://localhost:8080/api/v1/auth/login', { method: 'POST', body: '{}' }));
    expect((await withSessionLock(login)).ok).toBe(true);
    expect(refreshes).toBe(0);
  });
});

describe('a session that is over', () => {
  it.each([
    [1205, 'Authentication is invalid'],
    [1203, 'Expired'],
  ])('%s %s clears the cookies and gives the reason', async (code, reason) => {
    const ends: unknown[] = [];
    const stop = onSessionChange((sid, why) => ends.push([sid, why]));
    server.use(http.get(DATA, () => problem(code, reason)));
    const answer = await call(1);
    stop();
    expect(answer.status).toBe(401);
    expect(ends).toEqual([[null, 'expired']]);
    expect(document.cookie).not.toContain('access_token');
  });

  it.each([
    [1001, 'LOGIN_FAILED'],
    [1203, 'expired'],
    [1203, 'Authentication is Expired'],
  ])('%s %s ends nothing', async (code, reason) => {
    server.use(http.get(DATA, () => problem(code, reason)));
    await call(1);
    expect(memberSid()).toBe(100_000);
  });
});

describe('a session that changes during a call', () => {
  /** Answers once the test says so. */
  const held = (answer: (request: Request) => Response) => {
    let open: () => void = () => undefined;
    const opened = new Promise<void>((resolve) => (open = resolve));
    let arrive: () => void = () => undefined;
    const arrived = new Promise<void>((resolve) => (arrive = resolve));
    const handler = async ({ request }: { request: Request }) => {
      arrive();
      await opened;
      return answer(request);
    };
    return { handler, open: () => open(), arrived };
  };

  it('is not ended by a reply to the old token', async () => {
    const late = held((request) => (bearer(request) === 'Bearer old' ? problem(1205, 'Authentication is invalid') : HttpResponse.json({ id: 1 })));
    server.use(http.get(DATA, late.handler));
    const answer = call(1);
    await late.arrived;
    startSession({ accessToken: 'newer', memberSid: 100_000 });
    late.open();
    expect((await answer).status).toBe(200);
    expect([memberSid(), readAccessToken()]).toEqual([100_000, 'newer']);
  });

  it('never sends a request of one member as another', async () => {
    const late = held(() => problem(1205, 'Authentication is invalid'));
    server.use(http.get(DATA, late.handler));
    const answer = call(1);
    await late.arrived;
    startSession({ accessToken: 'theirs', memberSid: 200_000 });
    late.open();
    expect((await answer).status).toBe(401);
    expect(memberSid()).toBe(200_000);
  });

  it('is not restarted by a refresh in flight at logout', async () => {
    const late = held(() => HttpResponse.json({ memberSid: 100_000, accessToken: 'new', refreshToken: null, expiresIn: 900 }));
    server.use(
      http.post(REFRESH, late.handler),
      http.get(DATA, () => problem(1203, 'Authentication is expired')),
    );
    const answer = call(1);
    await late.arrived;
    endSession('logout');
    late.open();
    expect((await answer).status).toBe(401);
    expect([memberSid(), readMemberSid()]).toEqual([null, null]);
  });

  it('ends when the refresh cookie belongs to another member', async () => {
    server.use(
      http.post(REFRESH, () => HttpResponse.json({ memberSid: 200_000, accessToken: 'new', refreshToken: null, expiresIn: 900 })),
      http.get(DATA, () => problem(1203, 'Authentication is expired')),
    );
    await expect(call(1)).rejects.toMatchObject({ code: 1205 });
    expect(readMemberSid()).toBeNull();
  });

  it('is noticed before anything is sent', async () => {
    let sent = 0;
    server.use(
      http.all(DATA, () => {
        sent += 1;
        return HttpResponse.json({});
      }),
    );
    // Another tab did it.
    writeSessionCookies({ accessToken: 'theirs', memberSid: 200_000 });
    await expect(call(1, { method: 'POST', body: '{}' })).rejects.toMatchObject({ code: 1205, status: 401 });
    expect([sent, memberSid()]).toEqual([0, 200_000]);
    clearSessionCookies();
    expect((await call(1)).ok).toBe(true);
    expect([sent, memberSid()]).toEqual([1, null]);
  });
});

describe('a reply that is no problem document', () => {
  it('keeps the session, for a refresh and for a call', async () => {
    server.use(
      http.post(REFRESH, () => new HttpResponse('<html>', { status: 502 })),
      http.get(DATA, ({ params }) =>
        params.id === '1' ? problem(1203, 'Authentication is expired') : new HttpResponse('{', { status: 500, headers: { 'Content-Type': 'application/json' } }),
      ),
    );
    await expect(call(1)).rejects.toBeInstanceOf(ApiProblem);
    expect((await call(2)).status).toBe(500);
    expect(memberSid()).toBe(100_000);
  });
});

it('a reply during maintenance informs the whole app of its end', async () => {
  const until = '2026-11-22T02:30:00+09:00';
  server.use(
    http.get(DATA, () => HttpResponse.json({ code: 9014, reason: 'MAINTENANCE', message: '', traceId: 't', until }, { status: 503 })),
  );
  const { result, unmount } = renderHook(() => useMaintenance());
  await act(() => call(1).then(() => undefined));
  expect(result.current).not.toBeNull();
  act(endMaintenance);
  unmount();
});

describe('the session lock', () => {
  it('is held while the cookies propagate, returns at once, and passes on rejections', async () => {
    let held = Promise.resolve();
    const request = vi.fn((_name: string, hold: () => Promise<void>) => {
      held = hold();
      return held;
    });
    vi.stubGlobal('navigator', { ...navigator, locks: { request } });
    await expect(withSessionLock(() => Promise.resolve('done'))).resolves.toBe('done');
    let isHeld = true;
    void held.then(() => {
      isHeld = false;
    });
    await Promise.resolve();
    expect(isHeld).toBe(true);
    await held;
    await expect(withSessionLock(() => Promise.reject(new Error('rejected')))).rejects.toThrow('rejected');
    await held;
    expect(request).toHaveBeenCalledTimes(2);
    request.mockImplementationOnce(() => Promise.reject(new Error('no lock')));
    await expect(withSessionLock(() => Promise.resolve())).rejects.toThrow('no lock');
    vi.unstubAllGlobals();
  });
});

describe('a call without a reply', () => {
  it('is a network problem with an unknown outcome', async () => {
    server.use(http.get(DATA, () => HttpResponse.error()));
    const failure: unknown = await call(1).catch((thrown: unknown) => thrown);
    expect(failure).toMatchObject({ code: 0, reason: 'NETWORK', isOutcomeUnknown: true });
  });

  it('stays an abort when the caller gave up', async () => {
    const abort = new AbortController();
    server.use(http.get(DATA, () => HttpResponse.json({})));
    abort.abort();
    const failure: unknown = await call(1, { signal: abort.signal }).catch((thrown: unknown) => thrown);
    expect(failure).toMatchObject({ name: 'AbortError' });
  });
});
