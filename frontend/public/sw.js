// Opens the app without a connection. It keeps two things: the shell page, asked for anew on every visit and used only when
// the network fails, and files whose names carry a hash, which never change. Answers of the API never pass through it.
const SHELL = 'shell-v1';
const FILES = 'files-v1';
const MOST_FILES = 200;
const isHashed = (pathname) => /^\/(assets|fonts)\//.test(pathname);
const isPicture = (pathname) => /^\/(levels\/)?[\w-]+\.(svg|png)$/.test(pathname) || pathname === '/before-paint.js';

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(SHELL).then((cache) => cache.add(new Request('/', { cache: 'no-cache' }))));
});

self.addEventListener('activate', (event) => {
  event.waitUntil(
    (async () => {
      for (const name of await caches.keys()) if (name !== SHELL && name !== FILES) await caches.delete(name);
      await self.clients.claim();
    })(),
  );
});

self.addEventListener('message', (event) => {
  const { type, urls } = event.data ?? {};
  if (type !== 'keep' || !Array.isArray(urls)) return;
  const paths = urls.filter((path) => typeof path === 'string' && isHashed(path));
  event.waitUntil(Promise.allSettled([...paths, '/before-paint.js', '/icon.svg'].map((path) => keep(new Request(path)))));
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== self.location.origin) return;
  if (pathname.startsWith('/api/') || pathname === '/config.json') return;
  if (request.mode === 'navigate') event.respondWith(shell(event));
  else if (isHashed(pathname)) event.respondWith(keep(request));
  else if (isPicture(pathname)) event.respondWith(fetch(request).then(remember(request), () => caches.match(request).then(orFail)));
});

async function shell(event) {
  try {
    const answer = await fetch(event.request);
    if (answer.ok && answer.headers.get('Content-Type')?.includes('text/html')) {
      const copy = answer.clone();
      event.waitUntil(caches.open(SHELL).then((cache) => cache.put('/', copy)));
    }
    return answer;
  } catch {
    return orFail(await caches.match('/'));
  }
}

async function keep(request) {
  const known = await caches.match(request);
  if (known) return known;
  return remember(request)(await fetch(request));
}

function remember(request) {
  return async (answer) => {
    if (answer.ok) {
      const cache = await caches.open(FILES);
      await cache.put(request, answer.clone());
      // The oldest are of releases nobody opens any more.
      const keys = await cache.keys();
      for (const old of keys.slice(0, Math.max(0, keys.length - MOST_FILES))) await cache.delete(old);
    }
    return answer;
  };
}

function orFail(answer) {
  return answer ?? Response.error();
}
