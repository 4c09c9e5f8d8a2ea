/** Lets the shell and the hashed files open without a connection. Answers of the API are never kept by it. */
export function registerServiceWorker(): void {
  // Native shells keep their own copy, and some forbid workers altogether.
  if (!('serviceWorker' in navigator)) return;
  navigator.serviceWorker
    .register('/sw.js')
    .then(() => navigator.serviceWorker.ready)
    .then(({ active }) => active?.postMessage({ type: 'keep', urls: filesOfThisPage() }))
    // Without a worker the app is simply one that needs a connection to open.
    .catch(() => undefined);
}

/** What the page loaded before the worker could see it. */
function filesOfThisPage(): string[] {
  const files = performance.getEntriesByType('resource').map(({ name }) => new URL(name));
  return files.filter(({ origin, pathname }) => origin === location.origin && /^\/(assets|fonts)\//.test(pathname)).map(({ pathname }) => pathname);
}
