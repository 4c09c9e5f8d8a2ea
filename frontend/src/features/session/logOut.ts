import { endSession } from '@/shared/api/session';
import { readAccessToken, readMemberSid } from '@/shared/api/sessionCookies';
import { withSessionLock } from '@/shared/api/sessionFetch';

const PENDING_KEY = 'logout-pending';
const URL_PATH = '/api/v1/auth/logout';
const TIMEOUT_MS = 5_000;

// The token of a logout that is not told yet. Never stored: a page that comes later has what the server left in its own cookie.
let endedToken: string | null = null;

/**
 * Ends the session on this device at once, and on the server as soon as one is reached: scripts cannot clear the refresh cookie
 * themselves, and without its end the session would go on for whoever holds the device next.
 */
export async function logOut(): Promise<void> {
  endedToken = readAccessToken();
  setPending(true);
  endSession('logout');
  await sendPendingLogout();
}

/** Tells the server of a logout that it has not heard of yet, if there is one. Never fails; what stays untold stays remembered. */
export async function sendPendingLogout(): Promise<void> {
  if (!isPending()) return;
  await withSessionLock(async () => {
    // Who has logged in since has replaced the cookie, and must keep the new one.
    const isMine = isPending() && readMemberSid() === null;
    if (isMine && !(await isAcknowledged(endedToken))) return;
    endedToken = null;
    setPending(false);
  }).catch(() => undefined);
}

/** Goes on trying while mounted: at once, when the network is back, and every now and then. Returns the function that stops it. */
export function retryPendingLogout(): () => void {
  const send = () => void sendPendingLogout();
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
  // The cookie says it alone where the token is refused. Where the server failed it has cleared the cookie, and a question
  // without both is answered with success because it is about nobody.
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
    // Storage may be switched off; the server is then told once, now.
  }
}
