/**
 * The gateway takes twenty calls of a member in a moment and twenty more a second, from all tabs together. One tab stays below, so
 * that screens which read everything anew at once, as after an interruption, are not refused.
 */
const BURST = 16;
const INTERVAL_MS = 66;

/** When the calls so far are used up. */
let usedUntilMs = 0;

/** Waits until a read may be sent. What a member does never waits, but counts. */
export function waitForSlot({ method }: Request): Promise<void> {
  const nowMs = performance.now();
  const waitMs = Math.max(usedUntilMs - nowMs, 0) - (BURST - 1) * INTERVAL_MS;
  usedUntilMs = Math.max(usedUntilMs, nowMs) + INTERVAL_MS;
  if (waitMs <= 0 || method !== 'GET') return Promise.resolve();
  return new Promise((resume) => setTimeout(resume, waitMs));
}
