/** Longer than a call is under way, and than a clock is usually wrong. */
const SOON_MS = 60_000;

/** How far the server's clock is ahead of the device's, as far as is known. */
let aheadMs = 0;

/** Learns the server's time from an answer. No cache keeps answers of the API, so their date is the present. */
export function noteServerDate(response: Response): void {
  noteServerTime(Date.parse(response.headers.get('Date') ?? ''));
}

/** Learns it from a token that was made just now. */
export function noteNewToken(token: string): void {
  noteServerTime(timeIn(token, 'iat'));
}

/** Whether the token runs out within a minute, or has; false for one that does not say. */
export function endsSoon(token: string): boolean {
  return timeIn(token, 'exp') - Date.now() - aheadMs < SOON_MS;
}

function noteServerTime(atMs: number): void {
  if (!Number.isNaN(atMs)) aheadMs = atMs - Date.now();
}

/** A time that the token tells; NaN where it tells none. */
function timeIn(token: string, claim: 'iat' | 'exp'): number {
  try {
    const payload = String(token.split('.')[1]).replace(/-/g, '+').replace(/_/g, '/');
    const claims = JSON.parse(atob(payload)) as Record<string, unknown>;
    return Number(claims[claim]) * 1_000;
  } catch {
    return NaN;
  }
}
