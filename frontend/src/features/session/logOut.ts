import { endSession } from '@/shared/api/session';
import { readAccessToken, readMemberSid } from '@/shared/api/sessionCookies';
import { withSessionLock } from '@/shared/api/sessionFetch';

const PENDING_KEY = 'logout-pending';
const URL_PATH = '/api/v1/auth/logout';
const TIMEOUT_MS = 5_000;

// The token of a logout the server has not acknowledged. Never stored: a later page still has the server's own cookie.
let endedToken: string | null = null;

/**
 * Ends the session and its pushes on this device at once, and on the server when it is reachable. Scripts cannot clear the refresh
 * cookie, so an unacknowledged logout would leave the session usable for the next person on the device.
 */
export async function logOut(): Promise<void> {
  endedToken = readAccessToken();
  setPending(true);
  const stopped = stopPushes();
  endSession('logout');
  await Promise.all([stopped, sendPendingLogout()]);
}

/** The service worker shows every push, also those that a server sends because it never received the logout. Never rejects. */
async function stopPushes(): Promise<void> {
  await import(/* webpackChunkName: "push" */ '@/shared/platform/push').then(
    ({ stopShowingPushes }) => stopShowingPushes(),
    // It has been loaded for whoever was logged in; otherwise they end with the session on the server.
    () => undefined,
  );
}

/** Sends a pending logout, if there is one. Never rejects; an unacknowledged logout stays pending. */
export async function sendPendingLogout(): Promise<void> {
  if (!isPending()) return;
  await withSessionLock(async () => {
    // A login since then has replaced the cookie, which must survive.
    const isMine = isPending() && readMemberSid() === null;
    if (isMine && !(await isAcknowledged(endedToken))) return;
    endedToken = null;
    setPending(false);
  }).catch(() => undefined);
}

/** Retries a pending logout and the end of its pushes: at once, when the network is back, and periodically. Returns the cleanup. */
export function retryPendingLogout(): () => void {
  const send = () => {
    // The page of the logout may have been closed before they ended. Those of a login since then are that member's.
    if (isPending() && readMemberSid() === null) void stopPushes();
    void sendPendingLogout();
  };
  send();
  window.addEventListener('online', send);
  const timer = setInterval(send, RETRY_INTERVAL_MS);
  return () => {
    window.removeEventListener('online', send);
    clearInterval(timer);
  };
}

const RETRY_INTERVAL_MS = 15_000;

async function isAcknowledged(token: string | null): Promise<boolean> {
  if (token === null) return (await postLogout(null)).ok;
  const { ok, status } = await postLogout(token);
  // When the token is rejected, the cookie alone identifies the session. When the server failed, it has cleared the cookie, and
  // a request without both succeeds because it is about nobody.
  return ok || (status === 401 && (await postLogout(null)).ok);
}

function postLogout(token: string | null): Promise<Response> {
  return fetch(new URL(URL_PATH, location.origin), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(token !== null && { Authorization: `Bearer ${token}` }) },
    body: '{}',
    credentials: 'same-origin',
    // The page may be closed right after.
    keepalive: true,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
}

function isPending(): boolean {
  try {
    return localStorage.getItem(PENDING_KEY) !== null;
  } catch {
    return false;
  }
}

function setPending(isPendingNow: boolean): void {
  try {
    if (isPendingNow) localStorage.setItem(PENDING_KEY, '1');
    else localStorage.removeItem(PENDING_KEY);
  } catch {
    // Storage is unavailable: the logout is sent once, now.
  }
}
