// @vitest-environment jsdom
import { http, HttpResponse } from 'msw/http';
import { beforeEach, describe, expect, it } from 'vitest';
import { endSession, memberSid, startSession } from '@/shared/api/session';
import { writeSessionCookies } from '@/shared/api/sessionCookies';
import { server } from '@/testing/server';
import { tokenOf } from '@/testing/tokens';
import { clearSiseToken, siseToken } from './siseToken';

const ORIGIN = 'http://sise.test';
const LOGIN = `${ORIGIN}/api/v1/auth/login`;
const REFRESH = '*/api/v1/auth/refresh-refresh-token';

let given = 0;
const grant = (memberOf: () => number = () => memberSid() ?? 0) =>
  server.use(
    http.post(LOGIN, () => {
      given += 1;
      return HttpResponse.json({ memberSid: memberOf(), token: `token-${given}`, expiresIn: 3_600 });
    }),
  );
const over = (code: number, reason: string) => HttpResponse.json({ code, reason, message: '', traceId: 't' }, { status: 401 });

beforeEach(() => {
  given = 0;
  clearSiseToken();
  startSession({ accessToken: 'access', memberSid: 1 });
});

describe("the price service's token", () => {
  it('is cached for its member and session', async () => {
    grant();
    expect(await siseToken(ORIGIN, false)).toMatchObject({ memberSid: 1, token: 'token-1' });
    expect(await siseToken(ORIGIN, false)).toMatchObject({ token: 'token-1' });
    expect(await siseToken(ORIGIN, true)).toMatchObject({ token: 'token-2' });
    clearSiseToken();
    expect(await siseToken(ORIGIN, false)).toMatchObject({ token: 'token-3' });
    startSession({ accessToken: 'theirs', memberSid: 2 });
    expect(await siseToken(ORIGIN, false)).toMatchObject({ memberSid: 2, token: 'token-4' });
    endSession('logout');
    expect(await siseToken(ORIGIN, false)).toBeNull();
  });

  it('is requested with a valid access token, not with an expired one', async () => {
    const sent: (string | null)[] = [];
    const renewed = tokenOf({ madeMs: Date.now(), name: 'renewed' });
    server.use(
      http.post(REFRESH, () => HttpResponse.json({ memberSid: 1, accessToken: renewed })),
      http.post(LOGIN, ({ request }) => {
        sent.push(request.headers.get('Authorization'));
        return HttpResponse.json({ memberSid: 1, token: 'token', expiresIn: 3_600 });
      }),
    );
    writeSessionCookies({ accessToken: tokenOf({ madeMs: Date.now() - 3_600_000 }), memberSid: 1 });
    expect(await siseToken(ORIGIN, false)).toMatchObject({ token: 'token' });
    expect(sent).toEqual([`Bearer ${renewed}`]);
  });

  it('is dropped when the member changed while it was on its way', async () => {
    server.use(
      http.post(LOGIN, () => {
        startSession({ accessToken: 'theirs', memberSid: 2 });
        return HttpResponse.json({ memberSid: 1, token: 'token', expiresIn: 3_600 });
      }),
    );
    expect(await siseToken(ORIGIN, false)).toBeNull();
  });

  it('of another member is rejected', async () => {
    grant(() => 2);
    await expect(siseToken(ORIGIN, false)).rejects.toThrow('price service');
  });

  it('is unavailable while the service is down', async () => {
    server.use(http.post(LOGIN, () => new HttpResponse('{}', { status: 503 })));
    await expect(siseToken(ORIGIN, false)).rejects.toThrow('503');
  });

  it('reveals that a session has ended elsewhere', async () => {
    server.use(
      http.post(LOGIN, () => over(1205, 'Authentication is invalid')),
      http.post(REFRESH, () => over(1203, 'Expired')),
    );
    await expect(siseToken(ORIGIN, true)).rejects.toMatchObject({ reason: 'Expired' });
    expect(memberSid()).toBeNull();
  });
});
