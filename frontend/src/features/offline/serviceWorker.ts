/** Registers the worker that serves the shell and hashed files offline. It never caches API replies. */
export function registerServiceWorker(): void {
  // Native shells cache by themselves, and some forbid workers.
  if (!('serviceWorker' in navigator)) return;
  navigator.serviceWorker
    .register('/sw.js')
    .then(() => navigator.serviceWorker.ready)
    .then(({ active }) => active?.postMessage({ type: 'keep', urls: filesOfThisPage() }))
    // Without a worker the app only opens online.
    .catch(() => undefined);
}

/** The files loaded before the worker was active. */
function filesOfThisPage(): string[] {
  const files = performance.getEntriesByType('resource').map(({ name }) => new URL(name));
  return files.filter(({ origin, pathname }) => origin === location.origin && /^\/(assets|fonts)\//.test(pathname)).map(({ pathname }) => pathname);
}
