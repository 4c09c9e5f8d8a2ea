/** Longer than a call is under way, and than a clock is usually wrong. */
const EXPIRY_MARGIN_MS = 60_000;

/** How far the server's clock is ahead of the device's, as far as is known. */
let clockSkewMs = 0;

/** Learns the server's time from an answer. No cache keeps answers of the API, so their date is the present. */
export function recordServerDate(response: Response): void {
  recordServerTime(Date.parse(response.headers.get('Date') ?? ''));
}

/** Learns it from a token that was made just now. */
export function recordNewToken(token: string): void {
  recordServerTime(timeClaim(token, 'iat'));
}

/** Whether the token runs out within a minute, or has; false for one that does not say. */
export function expiresSoon(token: string): boolean {
  return timeClaim(token, 'exp') - Date.now() - clockSkewMs < EXPIRY_MARGIN_MS;
}

function recordServerTime(atMs: number): void {
  if (!Number.isNaN(atMs)) clockSkewMs = atMs - Date.now();
}

/** A time that the token tells; NaN where it tells none. */
function timeClaim(token: string, claim: 'iat' | 'exp'): number {
  try {
    const payload = String(token.split('.')[1]).replace(/-/g, '+').replace(/_/g, '/');
    const claims = JSON.parse(atob(payload)) as Record<string, unknown>;
    return Number(claims[claim]) * 1_000;
  } catch {
    return NaN;
  }
}
