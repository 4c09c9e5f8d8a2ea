import { api, unwrap } from '@/shared/api/client';
import { runtimeConfig } from '@/shared/api/runtimeConfig';
import { startSession } from '@/shared/api/session';
import type { JoinBody, Session } from '@/shared/api/types';

/** Signs in on the main service and keeps the session on this device. */
export async function signIn(email: string, password: string): Promise<Session> {
  const session = await unwrap(api.POST('/api/v1/auth/login', { body: { email: email.trim(), password } }));
  return keep(session);
}

/** Makes a member and signs them in at once. */
export async function join(body: JoinBody): Promise<Session> {
  return keep(await unwrap(api.POST('/api/v1/auth/join', { body })));
}

/** Tells the server to forget the session. The device forgets it in any case, so a failure here is nobody's concern. */
export async function signOutOnServer(): Promise<void> {
  await unwrap(api.POST('/api/v1/auth/logout', { body: {} })).catch(() => undefined);
}

function keep(session: Session): Session {
  startSession(session);
  void registerForPrices(session.accessToken);
  return session;
}

/**
 * The price service keeps its own list of members. Being added to it is done behind the member's back and repeats safely;
 * without it prices still flow and only fill notices wait until the next sign-in, so nothing is said when it fails.
 */
async function registerForPrices(accessToken: string): Promise<void> {
  const { siseOrigin } = runtimeConfig();
  if (siseOrigin === '') return;
  for (const path of ['/api/v1/auth/join', '/api/v1/auth/login']) {
    const isRegistered = await fetch(siseOrigin + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${accessToken}` },
      body: '{}',
      signal: AbortSignal.timeout(PRICE_SERVICE_TIMEOUT_MS),
    }).then(
      (response) => response.ok,
      () => false,
    );
    if (!isRegistered) return;
  }
}

const PRICE_SERVICE_TIMEOUT_MS = 5_000;
