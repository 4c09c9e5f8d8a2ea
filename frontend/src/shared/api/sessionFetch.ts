import * as v from 'valibot';
import { ApiProblem, problemFrom, problemFromThrown, problemOf } from './apiProblem';
import { noteMaintenance } from './maintenance';
import { patientFetch } from './patientFetch';
import { endSession, memberSid, startSession, syncSessionWithCookies } from './session';
import { readAccessToken, readMemberSid } from './sessionCookies';
import { endsSoon, noteServerDate } from './tokenEnd';

/** Cookies written by one tab are read by another one a moment later. */
const COOKIE_TRAVEL_MS = 100;
const REFRESH_URL = '/api/v1/auth/refresh-refresh-token';
/** What begins a session holds its lock, which a renewal would wait for. */
const BEGINS_SESSION = /\/api\/v1\/auth\/(?:login|join)$/;
/** A renewal that failed is not tried ahead of time again so soon: the token may be good for a while. */
const EARLY_PAUSE_MS = 15_000;

const TokenReply = v.object({ accessToken: v.string(), memberSid: v.number() });

let refreshInFlight: Promise<void> | null = null;
let noEarlyRefreshBeforeMs = 0;

/**
 * `fetch` with the bearer token, which is renewed shortly before its end, once, while all calls wait. A token that is found to be
 * expired all the same is renewed once, however many calls meet it at the same time, and each call is then sent again; a session
 * the server no longer accepts is ended. What one member asked is never sent as another.
 */
export async function sessionFetch(request: Request): Promise<Response> {
  const member = memberSid();
  if (!BEGINS_SESSION.test(request.url)) await untilTokenIsFresh();
  syncSessionWithCookies();
  // Another tab logged out, or in as somebody else: what was meant for the member before is not done.
  if (member !== null && memberSid() !== member && request.method !== 'GET') throw new ApiProblem(NOT_THIS_MEMBER, 401);

  // A sent body is consumed, so the copy for a second try is taken before the first.
  const secondTry = request.clone();
  const sentToken = readAccessToken();
  const sender = readMemberSid();
  const response = await send(request, sentToken);
  const found = await verdict(response);
  if (found === 'pass') return response;
  if (found === 'expired') await refreshSession(sentToken);
  else if (readAccessToken() === sentToken) endSession('expired');
  const newToken = readAccessToken();
  if (newToken === sentToken || readMemberSid() !== sender) return response;

  const replayed = await send(secondTry, newToken);
  if ((await verdict(replayed)) !== 'pass' && readAccessToken() === newToken) endSession('expired');
  return replayed;
}

const NOT_THIS_MEMBER = { code: 1205, reason: 'Authentication is invalid' };

/**
 * Waits for the renewal that is under way, or that it is time for. One that fails leaves the token as it is, unless the session
 * is over: then it throws.
 */
export async function untilTokenIsFresh(): Promise<void> {
  const token = readAccessToken();
  if (token === null) return;
  const isTime = performance.now() >= noEarlyRefreshBeforeMs && endsSoon(token);
  if (refreshInFlight === null && !isTime) return;
  try {
    await refreshSession(token);
  } catch (problem) {
    if (readAccessToken() === null) throw problem;
    noEarlyRefreshBeforeMs = performance.now() + EARLY_PAUSE_MS;
  }
}

/** Renews the access token unless another tab has done so since `staleToken` was sent. Concurrent callers share one call. */
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
  // Whoever logged out meanwhile stays logged out.
  if (readAccessToken() !== staleToken) return;
  const tokens = v.safeParse(TokenReply, body);
  if (response.ok && tokens.success) {
    if (tokens.output.memberSid === readMemberSid()) {
      startSession(tokens.output);
      return;
    }
    endSession('expired');
    throw new ApiProblem(NOT_THIS_MEMBER, 401);
  }
  const problem = problemFrom(body, response);
  if (isSessionOver(problem)) endSession('expired');
  throw problem;
}

async function send(request: Request, token: string | null): Promise<Response> {
  if (token !== null) request.headers.set('Authorization', `Bearer ${token}`);
  try {
    const response = await patientFetch(request);
    noteServerDate(response);
    return response;
  } catch (thrown) {
    if (request.signal.aborted) throw thrown;
    throw problemFromThrown(thrown);
  }
}

type Verdict = 'pass' | 'expired' | 'over';

/** The body's code decides, never the HTTP status alone. */
async function verdict(response: Response): Promise<Verdict> {
  const isProblemBody = response.headers.get('Content-Type')?.includes('json') === true && !response.ok;
  if (!isProblemBody) return 'pass';
  const problem = await problemOf(response);
  if (isAccessExpired(problem)) return 'expired';
  if (isSessionOver(problem)) return 'over';
  if (problem.reason === 'MAINTENANCE') noteMaintenance(problem.facts.until);
  return 'pass';
}

// Compared exactly: "Expired" is a part of neither sentence's meaning, and the two must never be confused.
function isAccessExpired({ code, reason }: ApiProblem): boolean {
  return code === 1203 && reason === 'Authentication is expired';
}

function isSessionOver({ code, reason }: ApiProblem): boolean {
  return code === 1205 || (code === 1203 && reason === 'Expired');
}

/**
 * Work on the session's cookies, one at a time in all tabs. It goes on at once for its own callers; the other tabs wait until the
 * new cookie has surely reached them. Work that asks for the lock again waits for itself.
 */
export function withSessionLock<T>(work: () => Promise<T>): Promise<T> {
  const locks = (navigator as Partial<Navigator>).locks;
  if (!locks) return afterTheOthers(work);
  return new Promise((resolve, reject) => {
    const hold = async () => {
      await work().then(resolve, reject);
      await new Promise((release) => setTimeout(release, COOKIE_TRAVEL_MS));
    };
    locks.request('seedup-refresh', hold).catch(reject);
  });
}

let last: Promise<unknown> = Promise.resolve();

/** The same for this tab alone, where there are no locks. */
function afterTheOthers<T>(work: () => Promise<T>): Promise<T> {
  const mine = last.then(work);
  last = mine.catch(() => undefined);
  return mine;
}
