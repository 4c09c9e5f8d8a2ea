const SETTLE_MS = 800;
const IDLE_TIMEOUT_MS = 3_000;

/**
 * Calls back when the first screen has had the line and the processor to itself: the page has loaded, a moment has passed, and
 * nothing is being done. Returns the function that calls it off.
 */
export function whenQuiet(callback: () => void): () => void {
  let isOff = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const run = () => {
    if (!isOff) callback();
  };
  const settle = () => {
    timer = setTimeout(() => {
      if ('requestIdleCallback' in window) window.requestIdleCallback(run, { timeout: IDLE_TIMEOUT_MS });
      else run();
    }, SETTLE_MS);
  };
  if (document.readyState === 'complete') settle();
  else window.addEventListener('load', settle, { once: true });
  return () => {
    isOff = true;
    clearTimeout(timer);
    window.removeEventListener('load', settle);
  };
}
