/**
 * The gateway allows a member a burst of twenty calls and twenty more a second, over all tabs. One tab stays below, so that
 * screens which refetch everything at once are not rejected.
 */
const BURST = 16;
const INTERVAL_MS = 66;

/** When the calls so far are used up. */
let usedUntilMs = 0;

/** Waits until a read may be sent. Writes never wait, but count. */
export function waitForSlot({ method }: Request): Promise<void> {
  const nowMs = performance.now();
  const waitMs = Math.max(usedUntilMs - nowMs, 0) - (BURST - 1) * INTERVAL_MS;
  usedUntilMs = Math.max(usedUntilMs, nowMs) + INTERVAL_MS;
  if (waitMs <= 0 || method !== 'GET') return Promise.resolve();
  return new Promise((resume) => setTimeout(resume, waitMs));
}
