import * as v from 'valibot';
import { type ApiProblem, problemFrom, problemFromThrown } from './apiProblem';
import { noteMaintenance } from './maintenance';
import { endSession, startSession } from './session';
import { readAccessToken } from './sessionCookies';

const REQUEST_TIMEOUT_MS = 15_000;
/** Cookies written by one tab are read by another one a moment later. */
const COOKIE_TRAVEL_MS = 100;
const REFRESH_URL = '/api/v1/auth/refresh-refresh-token';

const TokenReply = v.object({ accessToken: v.string(), memberSid: v.number() });

let refreshInFlight: Promise<void> | null = null;

/**
 * `fetch` with the bearer token. An expired token is renewed once, however many calls meet it at the same time, and each
 * call is then sent again; a session the server no longer accepts is ended.
 */
export async function sessionFetch(request: Request): Promise<Response> {
  // A sent body is consumed, so the copy for a second try is taken before the first.
  const secondTry = request.clone();
  const sentToken = readAccessToken();
  const response = await send(request, sentToken);
  if ((await verdict(response)) !== 'refresh') return response;

  await refreshSession(sentToken);
  const replayed = await send(secondTry, readAccessToken());
  if ((await verdict(replayed)) === 'refresh') endSession('expired');
  return replayed;
}

/** Renews the access token unless another tab has done so since `staleToken` was sent. Concurrent callers share one call. */
export function refreshSession(staleToken: string | null): Promise<void> {
  refreshInFlight ??= withTabLock(async () => {
    if (readAccessToken() !== staleToken) return;
    await requestTokens();
  }).finally(() => {
    refreshInFlight = null;
  });
  return refreshInFlight;
}

async function requestTokens(): Promise<void> {
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
  const tokens = v.safeParse(TokenReply, body);
  if (response.ok && tokens.success) {
    startSession(tokens.output);
    return;
  }
  const problem = problemFrom(body, response.status);
  if (isSessionOver(problem)) endSession('expired');
  throw problem;
}

async function send(request: Request, token: string | null): Promise<Response> {
  if (token !== null) request.headers.set('Authorization', `Bearer ${token}`);
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]);
  try {
    return await globalThis.fetch(request, { signal });
  } catch (thrown) {
    if (request.signal.aborted) throw thrown;
    throw problemFromThrown(thrown);
  }
}

type Verdict = 'pass' | 'refresh';

/** The body's code decides, never the HTTP status alone. */
async function verdict(response: Response): Promise<Verdict> {
  const isProblemBody = response.headers.get('Content-Type')?.includes('json') === true && !response.ok;
  if (!isProblemBody) return 'pass';
  const problem = problemFrom(await response.clone().json().catch(() => null), response.status);
  if (isAccessExpired(problem)) return 'refresh';
  if (isSessionOver(problem)) endSession('expired');
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

/** One tab at a time. Its own callers go on at once; the other tabs wait until the new cookie has surely reached them. */
function withTabLock(work: () => Promise<void>): Promise<void> {
  const locks = (navigator as Partial<Navigator>).locks;
  if (!locks) return work();
  return new Promise((resolve, reject) => {
    const hold = async () => {
      await work().then(resolve, reject);
      await new Promise((release) => setTimeout(release, COOKIE_TRAVEL_MS));
    };
    locks.request('seedup-refresh', hold).catch(reject);
  });
}
