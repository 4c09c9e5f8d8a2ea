import { ApiProblem, problemFrom, problemFromThrown, problemOf } from './apiProblem';
import { recordOf } from './jsonShape';
import { startMaintenance } from './maintenance';
import { retryingFetch } from './retryingFetch';
import { endSession, memberSid, startSession, syncSessionWithCookies } from './session';
import { readAccessToken, readMemberSid } from './sessionCookies';
import { expiresSoon, isExpired, recordServerDate } from './tokenExpiry';

/** Time until a cookie written by one tab is visible to another. */
const COOKIE_PROPAGATION_MS = 100;
const REFRESH_URL = '/api/v1/auth/refresh-refresh-token';
/** These calls hold the session lock, which a refresh would wait for. */
const SESSION_START_PATH = /\/api\/v1\/auth\/(?:login|join)$/;
/** Pause after a failed early refresh: the token may be valid for a while. */
const EARLY_REFRESH_PAUSE_MS = 15_000;

let refreshInFlight: Promise<void> | null = null;
let noEarlyRefreshBeforeMs = 0;

/**
 * `fetch` with the bearer token. The token is refreshed shortly before it expires, once, while all calls wait. If the server still
 * reports it expired, concurrent calls share one refresh and each is sent again. A session the server no longer accepts is ended.
 * A request of one member is never sent with the token of another. One with `keepalive` takes a valid token
 * at the call, whatever becomes of the session afterwards.
 */
export async function sessionFetch(request: Request): Promise<Response> {
  const member = memberSid();
  if (waitsForToken(request)) await ensureFreshToken();
  syncSessionWithCookies();
  // Another tab signed out, or in as another member: a write of the previous member is not sent.
  if (member !== null && memberSid() !== member && request.method !== 'GET') throw new ApiProblem(MEMBER_CHANGED, 401);

  // A sent body is consumed, so it is cloned first.
  const secondTry = request.clone();
  const sentToken = readAccessToken();
  const sender = readMemberSid();
  const response = await send(request, sentToken);
  const status = await sessionStatus(response);
  if (status === 'pass') return response;
  if (status === 'expired') await refreshSession(sentToken);
  else if (readAccessToken() === sentToken) endSession('expired');
  const newToken = readAccessToken();
  if (newToken === sentToken || readMemberSid() !== sender) return response;

  const replayed = await send(secondTry, newToken);
  if ((await sessionStatus(replayed)) !== 'pass' && readAccessToken() === newToken) endSession('expired');
  return replayed;
}

/** A request that survives its page would end with it while it waits for a refresh, which does not. */
function waitsForToken({ url, keepalive }: Request): boolean {
  if (SESSION_START_PATH.test(url)) return false;
  const token = readAccessToken();
  return !keepalive || token === null || isExpired(token);
}

const MEMBER_CHANGED = { code: 1205, reason: 'Authentication is invalid' };

/**
 * Waits for the current refresh, or starts one when it is due. A failed refresh keeps the token, unless the session is over:
 * then it throws.
 */
export async function ensureFreshToken(): Promise<void> {
  const token = readAccessToken();
  if (token === null) return;
  const isDue = performance.now() >= noEarlyRefreshBeforeMs && expiresSoon(token);
  if (refreshInFlight === null && !isDue) return;
  try {
    await refreshSession(token);
  } catch (problem) {
    if (readAccessToken() === null) throw problem;
    noEarlyRefreshBeforeMs = performance.now() + EARLY_REFRESH_PAUSE_MS;
  }
}

/** Refreshes the access token unless another tab has since `staleToken` was sent. Concurrent callers share one call. */
export function refreshSession(staleToken: string | null): Promise<void> {
  refreshInFlight ??= withSessionLock(async () => {
    if (readAccessToken() !== staleToken) return;
    await requestTokens(staleToken);
  }).finally(() => {
    refreshInFlight = null;
  });
  return refreshInFlight;
}

async function requestTokens(staleToken: string | null): Promise<void> {
  const response = await send(
    new Request(new URL(REFRESH_URL, location.origin), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{}',
      credentials: 'same-origin',
    }),
    null,
  );
  const body: unknown = await response.json().catch(() => null);
  // The member signed out meanwhile.
  if (readAccessToken() !== staleToken) return;
  const { accessToken, memberSid: owner } = recordOf(body) ?? {};
  if (response.ok && typeof accessToken === 'string' && typeof owner === 'number') {
    if (owner === readMemberSid()) {
      startSession({ accessToken, memberSid: owner });
      return;
    }
    endSession('expired');
    throw new ApiProblem(MEMBER_CHANGED, 401);
  }
  const problem = problemFrom(body, response);
  if (isSessionOver(problem)) endSession('expired');
  throw problem;
}

async function send(request: Request, token: string | null): Promise<Response> {
  if (token !== null) request.headers.set('Authorization', `Bearer ${token}`);
  try {
    const response = await retryingFetch(request);
    recordServerDate(response);
    return response;
  } catch (thrown) {
    if (request.signal.aborted) throw thrown;
    throw problemFromThrown(thrown);
  }
}

type SessionStatus = 'pass' | 'expired' | 'over';

/** Decided by the code in the body, never by the HTTP status. */
async function sessionStatus(response: Response): Promise<SessionStatus> {
  const isProblemBody = response.headers.get('Content-Type')?.includes('json') === true && !response.ok;
  if (!isProblemBody) return 'pass';
  const problem = await problemOf(response);
  if (isAccessExpired(problem)) return 'expired';
  if (isSessionOver(problem)) return 'over';
  if (problem.reason === 'MAINTENANCE') startMaintenance(problem.facts.until);
  return 'pass';
}

// Compared exactly: both reasons contain "expired".
function isAccessExpired({ code, reason }: ApiProblem): boolean {
  return code === 1203 && reason === 'Authentication is expired';
}

function isSessionOver({ code, reason }: ApiProblem): boolean {
  return code === 1205 || (code === 1203 && reason === 'Expired');
}

/**
 * Serializes work on the session cookies over all tabs. The caller continues at once; other tabs wait until the new cookie has
 * propagated. The lock is not reentrant: asking for it inside `work` deadlocks.
 */
export function withSessionLock<T>(work: () => Promise<T>): Promise<T> {
  const locks = (navigator as Partial<Navigator>).locks;
  if (!locks) return serialize(work);
  return new Promise((resolve, reject) => {
    const hold = async () => {
      await work().then(resolve, reject);
      await new Promise((release) => setTimeout(release, COOKIE_PROPAGATION_MS));
    };
    locks.request('seedup-refresh', hold).catch(reject);
  });
}

let last: Promise<unknown> = Promise.resolve();

/** Serializes within this tab, for browsers without locks. */
function serialize<T>(work: () => Promise<T>): Promise<T> {
  const result = last.then(work);
  last = result.catch(() => undefined);
  return result;
}
