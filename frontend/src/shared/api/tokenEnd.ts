import * as v from 'valibot';

/** Longer than a call is under way, and than a clock is usually wrong. */
const SOON_MS = 60_000;

const Claims = v.object({ iat: v.number(), exp: v.number() });

/** How far the server's clock is ahead of the device's, as far as is known. */
let aheadMs = 0;

/** Learns the server's time from an answer. No cache keeps answers of the API, so their date is the present. */
export function noteServerDate(response: Response): void {
  noteServerTime(Date.parse(response.headers.get('Date') ?? ''));
}

/** Learns it from a token that was made just now. */
export function noteNewToken(token: string): void {
  const claims = claimsOf(token);
  if (claims) noteServerTime(claims.iat * 1_000);
}

/** Whether the token runs out within a minute, or has; false for one that does not say. */
export function endsSoon(token: string): boolean {
  const claims = claimsOf(token);
  return claims !== null && claims.exp * 1_000 - (Date.now() + aheadMs) < SOON_MS;
}

function noteServerTime(atMs: number): void {
  if (!Number.isNaN(atMs)) aheadMs = atMs - Date.now();
}

function claimsOf(token: string): v.InferOutput<typeof Claims> | null {
  try {
    const payload = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
    return v.parse(Claims, JSON.parse(atob(payload)));
  } catch {
    return null;
  }
}
