import { endSession } from '@/shared/api/session';
import { readAccessToken, readMemberSid } from '@/shared/api/sessionCookies';
import { withSessionLock } from '@/shared/api/sessionFetch';

const PENDING_KEY = 'logout-pending';
const URL_PATH = '/api/v1/auth/logout';
const TIMEOUT_MS = 5_000;

/**
 * Ends the session on this device at once, and on the server as soon as one is reached: scripts cannot clear the refresh cookie
 * themselves, and without its end the session would go on for whoever holds the device next.
 */
export async function logOut(): Promise<void> {
  const token = readAccessToken();
  remember(true);
  endSession('logout');
  await settleLogout(token);
}

/** Tells the server of a logout that it has not heard of yet, if there is one. Never fails; what stays untold stays remembered. */
export async function settleLogout(token: string | null = null): Promise<void> {
  if (!isPending()) return;
  await withSessionLock(async () => {
    // Who has logged in since has replaced the cookie, and must keep the new one.
    const isMine = isPending() && readMemberSid() === null;
    // The cookie says it alone; the token helps where there is no cookie, and hinders when it is out of date.
    const isTold = isMine && ((token !== null && (await tell(token))) || (await tell(null)));
    if (!isMine || isTold) remember(false);
  }).catch(() => undefined);
}

/** Goes on trying while mounted: at once, when the network is back, and every now and then. Returns the function that stops it. */
export function keepSettlingLogout(): () => void {
  const settle = () => void settleLogout();
  settle();
  window.addEventListener('online', settle);
  const timer = setInterval(settle, TRY_AGAIN_MS);
  return () => {
    window.removeEventListener('online', settle);
    clearInterval(timer);
  };
}

const TRY_AGAIN_MS = 15_000;

async function tell(token: string | null): Promise<boolean> {
  const response = await fetch(new URL(URL_PATH, location.origin), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(token !== null && { Authorization: `Bearer ${token}` }) },
    body: '{}',
    credentials: 'same-origin',
    // The page may be closed right after.
    keepalive: true,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  return response.ok;
}

function isPending(): boolean {
  try {
    return localStorage.getItem(PENDING_KEY) !== null;
  } catch {
    return false;
  }
}

function remember(isPendingNow: boolean): void {
  try {
    if (isPendingNow) localStorage.setItem(PENDING_KEY, '1');
    else localStorage.removeItem(PENDING_KEY);
  } catch {
    // Storage may be switched off; the server is then told once, now.
  }
}
