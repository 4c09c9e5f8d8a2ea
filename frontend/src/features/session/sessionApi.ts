import { api, unwrap } from '@/shared/api/client';
import { runtimeConfig } from '@/shared/api/runtimeConfig';
import { startSession } from '@/shared/api/session';
import { withSessionLock } from '@/shared/api/sessionFetch';
import type { JoinBody, Session } from '@/shared/api/types';
import { sendPendingLogout } from './logOut';

/** Signs in and stores the session on this device. */
export async function signIn(email: string, password: string): Promise<Session> {
  return enter(() => unwrap(api.POST('/api/v1/auth/login', { body: { email: email.trim(), password } })));
}

/** Creates a member and signs them in. */
export async function join(body: JoinBody): Promise<Session> {
  return enter(() => unwrap(api.POST('/api/v1/auth/join', { body })));
}

/** Has a reset link mailed. The reply does not reveal whether the address is registered. */
export async function askPasswordReset(email: string): Promise<void> {
  await unwrap(api.PUT('/api/v1/auth/password/email/{email}', { params: { path: { email: email.trim() } }, body: {} }));
}

/** Sets a new password with the token of a mailed link, which works once. All sessions of the member end. */
export async function resetPassword(token: string, newPassword: string): Promise<void> {
  await unwrap(api.PUT('/api/v1/auth/password/reset', { body: { token, newPassword } }));
}

/** Changes the password. All other sessions of the member end. */
export async function changePassword(memberSid: number, password: string, newPassword: string): Promise<void> {
  await unwrap(api.PUT('/api/v1/auth/password', { body: { memberSid, password, newPassword } }));
}

/** A pending logout is sent first: afterwards the cookie belongs to the new session. */
async function enter(ask: () => Promise<Session>): Promise<Session> {
  await sendPendingLogout();
  // A concurrent refresh or logout would replace or clear the new cookie.
  const session = await withSessionLock(async () => {
    const entered = await ask();
    startSession(entered);
    return entered;
  });
  void registerForPrices(session.accessToken);
  return session;
}

/**
 * Registers the member at the price service, which keeps its own list. It is idempotent and runs in the background; prices flow
 * without it, so failures are ignored. The live connection signs in there by itself.
 */
async function registerForPrices(accessToken: string): Promise<void> {
  const { siseOrigin } = runtimeConfig();
  if (siseOrigin === '') return;
  for (const waitMs of RETRY_AFTER_MS) {
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    const response = await fetch(`${siseOrigin}/api/v1/auth/join`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${accessToken}` },
      body: '{}',
      signal: AbortSignal.timeout(PRICE_SERVICE_TIMEOUT_MS),
    }).catch(() => null);
    // A rejection is final; only timeouts and server errors are retried.
    if (response !== null && response.status < 500) return;
  }
}

const RETRY_AFTER_MS = [0, 2_000, 8_000] as const;
const PRICE_SERVICE_TIMEOUT_MS = 5_000;
