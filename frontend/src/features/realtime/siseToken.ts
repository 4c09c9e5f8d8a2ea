import * as v from 'valibot';
import { memberSid } from '@/shared/api/session';
import { readAccessToken } from '@/shared/api/sessionCookies';
import { refreshSession, ensureFreshToken } from '@/shared/api/sessionFetch';

const TokenReply = v.object({ memberSid: v.number(), token: v.string(), expiresIn: v.number() });
const TIMEOUT_MS = 5_000;
/** A token about to expire is not worth sending. */
const EXPIRY_MARGIN_MS = 60_000;

/** A token of the price service and its member. */
export interface SiseToken {
  memberSid: number;
  token: string;
}

let cached: (SiseToken & { expiresAtMs: number }) | null = null;

/**
 * The price service's token of the signed-in member, a new one if `isFresh`; null without a member, or when the member changed
 * meanwhile. Rejects when no token is available now.
 */
export async function siseToken(origin: string, isFresh: boolean): Promise<SiseToken | null> {
  const member = memberSid();
  if (member === null) return null;
  if (!isFresh && cached?.memberSid === member && cached.expiresAtMs - EXPIRY_MARGIN_MS > Date.now()) return cached;
  await ensureFreshToken();
  if (memberSid() !== member) return null;
  const sent = readAccessToken();
  let response = await signIn(origin, sent);
  if (response.status === 401 && sent !== null) {
    await refreshSession(sent);
    if (memberSid() !== member) return null;
    response = await signIn(origin, readAccessToken());
  }
  const reply = v.safeParse(TokenReply, await response.json().catch(() => null));
  if (memberSid() !== member) return null;
  if (!response.ok || !reply.success || reply.output.memberSid !== member) throw new Error(`the price service answered ${response.status}`);
  const { token, expiresIn } = reply.output;
  cached = { memberSid: member, token, expiresAtMs: Date.now() + expiresIn * 1000 };
  return cached;
}

/** A token ends with its session. */
export function clearSiseToken(): void {
  cached = null;
}

function signIn(origin: string, accessToken: string | null): Promise<Response> {
  return fetch(`${origin}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${accessToken ?? ''}` },
    body: '{}',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
}
