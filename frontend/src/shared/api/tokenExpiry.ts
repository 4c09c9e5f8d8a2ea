/** Longer than a request takes, and than clocks usually differ. */
const EXPIRY_MARGIN_MS = 60_000;

/** How far the server's clock is ahead of the device's, as far as known. */
let clockSkewMs = 0;

/** Reads the server's time from a reply. API replies are never cached, so their date is the present. */
export function recordServerDate(response: Response): void {
  recordServerTime(Date.parse(response.headers.get('Date') ?? ''));
}

/** Reads the server's time from a token that was issued just now. */
export function recordNewToken(token: string): void {
  recordServerTime(timeClaim(token, 'iat'));
}

/** Whether the token expires within a minute; false without an expiry. */
export function expiresSoon(token: string): boolean {
  return leftMs(token) < EXPIRY_MARGIN_MS;
}

/** Whether the server takes the token no more; false without an expiry. */
export function isExpired(token: string): boolean {
  return leftMs(token) <= 0;
}

function leftMs(token: string): number {
  return timeClaim(token, 'exp') - Date.now() - clockSkewMs;
}

function recordServerTime(atMs: number): void {
  if (!Number.isNaN(atMs)) clockSkewMs = atMs - Date.now();
}

/** A time claim of the token in milliseconds; NaN without one. */
function timeClaim(token: string, claim: 'iat' | 'exp'): number {
  return Number(tokenClaim(token, claim)) * 1_000;
}

/** A claim of the token; undefined without one. */
export function tokenClaim(token: string, claim: string): unknown {
  try {
    const payload = String(token.split('.')[1]).replace(/-/g, '+').replace(/_/g, '/');
    return (JSON.parse(atob(payload)) as Record<string, unknown>)[claim];
  } catch {
    return undefined;
  }
}
