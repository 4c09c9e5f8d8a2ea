const DELAY_MS = 800;
const IDLE_TIMEOUT_MS = 3_000;

/**
 * Calls back once the first screen is done: the page has loaded, a short delay has passed and the browser is idle. Returns the
 * cancel function.
 */
export function whenPageIdle(callback: () => void): () => void {
  let isCancelled = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const run = () => {
    if (!isCancelled) callback();
  };
  const schedule = () => {
    timer = setTimeout(() => {
      if ('requestIdleCallback' in window) window.requestIdleCallback(run, { timeout: IDLE_TIMEOUT_MS });
      else run();
    }, DELAY_MS);
  };
  if (document.readyState === 'complete') schedule();
  else window.addEventListener('load', schedule, { once: true });
  return () => {
    isCancelled = true;
    clearTimeout(timer);
    window.removeEventListener('load', schedule);
  };
}
