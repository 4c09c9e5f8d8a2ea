// Shows pushes, and opens the app offline. It caches two things: the shell page, fetched on every visit and used only when the network fails, and
// the files of the screens. Hashed files never change; fonts and pictures are revalidated in the background. API replies never
// pass through it, and a cache error never fails a request that the network answered.
const SHELL = 'shell-v1';
const FILES = 'files-v1';
/** The pushes that were shown, by their ids. */
const PUSHES = 'pushes-v1';
const MAX_FILES = 200;
const MAX_PUSHES = 50;
const ICON = '/icon-192.png';
const INBOX = '/notifications';
/** Shown for a push that cannot be read: browsers take the permission away from pages whose pushes show nothing. */
const UNREADABLE = { title: '시드업', body: '새 알림이 왔어요. 눌러서 확인해 주세요.', tag: 'unreadable', link: INBOX, sid: null };
/** Longer than an open page takes to answer. */
const ANSWER_MS = 1_000;
const isHashed = (pathname) => pathname.startsWith('/assets/');
const isFont = (pathname) => pathname.startsWith('/fonts/');
const isPicture = (pathname) => /^\/(levels\/)?[\w-]+\.(svg|png)$/.test(pathname) || pathname === '/before-paint.js';
/** No document, and no address the server keeps for itself; a code may contain a dot. */
const isScreen = (pathname) => !/^\/(api|docs)(\/|$)/.test(pathname) && !/\.(json|txt|xml|html)$/.test(pathname);

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(SHELL).then((cache) => cache.add(new Request('/', { cache: 'no-cache' }))));
});

self.addEventListener('activate', (event) => {
  event.waitUntil(
    (async () => {
      for (const name of await caches.keys()) if (![SHELL, FILES, PUSHES].includes(name)) await caches.delete(name);
      await self.clients.claim();
    })(),
  );
});

self.addEventListener('message', (event) => {
  const { type, urls } = event.data ?? {};
  if (type !== 'keep' || !Array.isArray(urls)) return;
  const paths = urls.filter((path) => typeof path === 'string' && (isHashed(path) || isFont(path)));
  // A page of an older release names files that the server no longer has; the browser still does, because it has just used them.
  const requests = [...paths, '/before-paint.js', '/icon.svg'].map((path) => new Request(path, { cache: 'force-cache' }));
  event.waitUntil(Promise.allSettled(requests.map(cacheMissing)));
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== self.location.origin) return;
  if (request.mode === 'navigate') {
    if (isScreen(pathname)) event.respondWith(shell(event));
  } else if (isHashed(pathname)) event.respondWith(fromCache(event));
  else if (isFont(pathname)) event.respondWith(fromCache(event, { revalidate: true }));
  else if (isPicture(pathname)) event.respondWith(fromNetwork(event));
});

async function shell(event) {
  try {
    const answer = await fetch(event.request);
    // A redirected reply must not answer for another address later.
    if (answer.ok && !answer.redirected && answer.headers.get('Content-Type')?.includes('text/html')) {
      event.waitUntil(put(SHELL, '/', answer.clone()));
    }
    return answer;
  } catch {
    return (await cached('/')) ?? Response.error();
  }
}

async function fromCache(event, { revalidate = false } = {}) {
  const reply = await cached(event.request);
  if (!reply) return fetchAndCache(event);
  if (revalidate) event.waitUntil(fetch(event.request).then((answer) => store(event.request, answer), () => undefined));
  return reply;
}

async function fromNetwork(event) {
  try {
    return await fetchAndCache(event);
  } catch {
    return (await cached(event.request)) ?? Response.error();
  }
}

async function fetchAndCache(event) {
  const answer = await fetch(event.request);
  event.waitUntil(store(event.request, answer.clone()));
  return answer;
}

async function cacheMissing(request) {
  if (!(await cached(request))) await store(request, await fetch(request));
}

/** The cached reply of a request; an unreadable cache counts as empty. */
function cached(request) {
  return caches.match(request).catch(() => undefined);
}

async function store(request, answer) {
  if (!answer.ok) return;
  await put(FILES, request, answer);
  await trim((count) => count - MAX_FILES);
}

async function put(name, request, answer) {
  try {
    const cache = await caches.open(name);
    await cache.put(request, answer);
  } catch {
    // Full: the older half is deleted to make room.
    await trim((count) => Math.ceil(count / 2));
  }
}

/** Deletes the oldest files, which belong to old releases. */
async function trim(excessOf) {
  try {
    const cache = await caches.open(FILES);
    const keys = await cache.keys();
    for (const old of keys.slice(0, Math.max(0, excessOf(keys.length)))) await cache.delete(old);
  } catch {
    // Without storage nothing is cached.
  }
}

self.addEventListener('push', (event) => {
  const push = readPush(event.data);
  event.waitUntil(push === null ? show(UNREADABLE) : showAgainSilently(push));
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const { link, sid } = event.notification.data ?? {};
  event.waitUntil(open(typeof link === 'string' ? link : INBOX, typeof sid === 'string' ? sid : null));
});

/** The push as the server describes it; null for what is none of its. */
function readPush(data) {
  try {
    const { id, title, body, link, tag, sid } = data.json();
    const isPath = typeof link === 'string' && /^\/(?![/\\])/.test(link);
    if (![id, title, body, tag].every((text) => typeof text === 'string')) return null;
    return { id, title, body, tag, link: isPath ? link : INBOX, sid: typeof sid === 'string' ? sid : null };
  } catch {
    return null;
  }
}

/** The server may send a push again after a crash; the second one takes the place of the first without a sound. */
async function showAgainSilently(push) {
  const key = `/push/${encodeURIComponent(push.id)}`;
  const isRepeated = Boolean(await cached(key));
  await show(push, { silent: isRepeated });
  if (isRepeated) return;
  try {
    const cache = await caches.open(PUSHES);
    await cache.put(key, new Response(null));
    const keys = await cache.keys();
    for (const old of keys.slice(0, Math.max(0, keys.length - MAX_PUSHES))) await cache.delete(old);
  } catch {
    // Without storage a repeated push replaces the first one, because their tags are the same.
  }
}

function show({ title, body, tag, link, sid }, options = {}) {
  return self.registration.showNotification(title, { body, tag, icon: ICON, badge: ICON, lang: 'ko', data: { link, sid }, ...options });
}

/** Goes there in an open window, or opens one. The page marks the notification as read. */
async function open(link, sid) {
  const url = new URL(link, self.location.origin);
  if (url.origin !== self.location.origin) return;
  if (sid !== null) url.searchParams.set('notification', sid);
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const client = windows.find(({ focused }) => focused) ?? windows.find(({ visibilityState }) => visibilityState === 'visible') ?? windows[0];
  if (!client) {
    await self.clients.openWindow(url.href);
    return;
  }
  const focused = await client.focus().catch(() => client);
  if (!(await isTaken(focused, url))) await focused.navigate(url.href).catch(() => self.clients.openWindow(url.href));
}

/** Whether the page goes there by itself, without loading anew. */
function isTaken(client, url) {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    const timer = setTimeout(() => resolve(false), ANSWER_MS);
    port1.onmessage = () => {
      clearTimeout(timer);
      resolve(true);
    };
    client.postMessage({ type: 'open', path: `${url.pathname}${url.search}` }, [port2]);
  });
}
