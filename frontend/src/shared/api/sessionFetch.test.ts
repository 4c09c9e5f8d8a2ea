import { http, HttpResponse } from 'msw/http';
import { beforeEach, describe, expect, it } from 'vitest';
import { server } from '@/testing/server';
import { ApiProblem } from './apiProblem';
import { memberSid, onSessionChange, startSession } from './session';
import { readAccessToken, readMemberSid } from './sessionCookies';
import { refreshSession, sessionFetch } from './sessionFetch';

const REFRESH = '*/api/v1/auth/refresh-refresh-token';
const DATA = '*/api/v1/data/:id';

const problem = (code: number, reason: string, status = 401) =>
  HttpResponse.json({ code, reason, message: '', traceId: 't' }, { status, headers: { 'Content-Type': 'application/problem+json' } });
const bearer = (request: Request) => request.headers.get('Authorization');
const call = (id: number, init?: RequestInit) => sessionFetch(new Request(`http://localhost:8080/api/v1/data/${id}`, init));

beforeEach(() => startSession({ accessToken: 'old', memberSid: 100_000 }));

describe('an expired access token', () => {
  it('is renewed once for ten calls at the same time, and each is sent again in order', async () => {
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

  it('sends a body again', async () => {
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

  it('rejects every waiting call when it cannot be renewed, and ends the session', async () => {
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

  it('survives a refresh that only failed to arrive', async () => {
    server.use(
      http.post(REFRESH, () => HttpResponse.error()),
      http.get(DATA, () => problem(1203, 'Authentication is expired')),
    );
    await expect(call(1)).rejects.toBeInstanceOf(ApiProblem);
    expect(memberSid()).toBe(100_000);
  });

  it('does not loop when the new token is refused as well', async () => {
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

  it('is not renewed again when another tab already did', async () => {
    await refreshSession('older than the cookie');
    expect(readAccessToken()).toBe('old');
  });
});

describe('a session that is over', () => {
  it.each([
    [1205, 'Authentication is invalid'],
    [1203, 'Expired'],
  ])('%s %s clears the cookies and says why', async (code, reason) => {
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

describe('a call that gets no answer', () => {
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
