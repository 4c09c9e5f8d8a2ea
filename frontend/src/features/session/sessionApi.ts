import { api, unwrap } from '@/shared/api/client';
import { runtimeConfig } from '@/shared/api/runtimeConfig';
import { startSession } from '@/shared/api/session';
import { withSessionLock } from '@/shared/api/sessionFetch';
import type { JoinBody, Session } from '@/shared/api/types';
import { sendPendingLogout } from './logOut';

/** Signs in on the main service and keeps the session on this device. */
export async function signIn(email: string, password: string): Promise<Session> {
  return enter(() => unwrap(api.POST('/api/v1/auth/login', { body: { email: email.trim(), password } })));
}

/** Makes a member and signs them in at once. */
export async function join(body: JoinBody): Promise<Session> {
  return enter(() => unwrap(api.POST('/api/v1/auth/join', { body })));
}

/** Has a link mailed that sets a new password. The answer never says whether anybody has this address. */
export async function askPasswordReset(email: string): Promise<void> {
  await unwrap(api.PUT('/api/v1/auth/password/email/{email}', { params: { path: { email: email.trim() } }, body: {} }));
}

/** Sets a new password by the token of a mailed link, which works once. Every session of the member ends. */
export async function resetPassword(token: string, newPassword: string): Promise<void> {
  await unwrap(api.PUT('/api/v1/auth/password/reset', { body: { token, newPassword } }));
}

/** Changes the password. This session goes on and every other one of the member ends. */
export async function changePassword(memberSid: number, password: string, newPassword: string): Promise<void> {
  await unwrap(api.PUT('/api/v1/auth/password', { body: { memberSid, password, newPassword } }));
}

/** A logout that the server has not heard of comes first: afterwards the cookie is the new session's. */
async function enter(ask: () => Promise<Session>): Promise<Session> {
  await sendPendingLogout();
  // The answer to a refresh or to a logout that is tried again would replace the new cookie or take it away.
  const session = await withSessionLock(async () => {
    const entered = await ask();
    startSession(entered);
    return entered;
  });
  void registerForPrices(session.accessToken);
  return session;
}

/**
 * The price service keeps its own list of members. Entering it happens behind the member's back and repeats safely; without it
 * prices still flow, so nothing is said when it fails. Its login is made by the live connection, which needs the token.
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
    // A refusal stays one however often it is asked for; only silence and breakdowns are worth another try.
    if (response !== null && response.status < 500) return;
  }
}

const RETRY_AFTER_MS = [0, 2_000, 8_000] as const;
const PRICE_SERVICE_TIMEOUT_MS = 5_000;
