import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { beforeEach, expect, it, vi } from 'vitest';

const ORIGIN = 'https://seedup.test';
const source = readFileSync(resolve(import.meta.dirname, '../../../public/sw.js'), 'utf8');

/** The storage of a worker, by cache and path. */
const stored = new Map<string, Map<string, Response>>();
let isFull = false;
let isBroken = false;
let network: (path: string) => Response | null;
/** The browser's own cache, which asks the network for what it lacks. */
let browserCache: (path: string) => Response;

const pathOf = (request: Request | string) => (typeof request === 'string' ? request : new URL(request.url, ORIGIN).pathname);

const caches = {
  open: (name: string) => {
    const files = stored.get(name) ?? new Map<string, Response>();
    stored.set(name, files);
    return Promise.resolve({
      put: (request: Request | string, answer: Response) => {
        if (isFull) return Promise.reject(new DOMException('full', 'QuotaExceededError'));
        files.delete(pathOf(request));
        files.set(pathOf(request), answer);
        return Promise.resolve();
      },
      keys: () => Promise.resolve([...files.keys()]),
      delete: (request: Request | string) => Promise.resolve(files.delete(pathOf(request))),
    });
  },
  match: (request: Request | string) => {
    if (isBroken) return Promise.reject(new DOMException('gone', 'UnknownError'));
    const found = [...stored.values()].flatMap((files) => files.get(pathOf(request)) ?? []);
    return Promise.resolve(found[0]?.clone());
  },
};

type Listener = (event: Record<string, unknown>) => void;
const listeners = new Map<string, Listener>();

/** The open windows, and what the worker shows and opens. */
let windows: { focused: boolean; visibilityState: string; focus: () => Promise<unknown>; postMessage: (message: unknown, ports: MessagePort[]) => void; navigate: (url: string) => Promise<unknown> }[] = [];
const showNotification = vi.fn(() => Promise.resolve());
const openWindow = vi.fn(() => Promise.resolve());

/** What the page gets for an address: the worker's answer, or null when the worker leaves it to the browser. */
async function visit(path: string, mode = 'no-cors'): Promise<string | null> {
  const answers: Promise<Response>[] = [];
  const work: Promise<unknown>[] = [];
  const request = { url: `${ORIGIN}${path}`, method: 'GET', mode };
  listeners.get('fetch')?.({
    request,
    respondWith: (given: Promise<Response>) => void answers.push(given),
    waitUntil: (given: Promise<unknown>) => void work.push(given),
  });
  const response = await answers[0];
  if (response === undefined) return null;
  const text = response.type === 'error' ? 'failed' : await response.text();
  await Promise.all(work);
  return text;
}

const kept = (name: string) => [...(stored.get(name)?.keys() ?? [])];
const page = (text: string) => new Response(text, { headers: { 'Content-Type': 'text/html' } });

beforeEach(() => {
  stored.clear();
  listeners.clear();
  isFull = false;
  isBroken = false;
  windows = [];
  showNotification.mockClear();
  openWindow.mockClear();
  const self = {
    location: { origin: ORIGIN },
    addEventListener: (name: string, listener: Listener) => listeners.set(name, listener),
    registration: { showNotification },
    clients: { matchAll: () => Promise.resolve(windows), openWindow },
  };
  const fetch = vi.fn((request: Request | string) => {
    if (typeof request !== 'string' && request.cache === 'force-cache') return Promise.resolve(browserCache(pathOf(request)));
    const answer = network(pathOf(request));
    return answer === null ? Promise.reject(new TypeError('Failed to fetch')) : Promise.resolve(answer);
  });
  // A worker resolves an address against its own.
  class WorkerRequest {
    readonly url: string;
    readonly cache: string | undefined;
    constructor(path: string, { cache }: { cache?: string } = {}) {
      this.url = `${ORIGIN}${path}`;
      this.cache = cache;
    }
  }
  // The worker's file is a script of its own world; here it gets one made for the test.
  // eslint-disable-next-line @typescript-eslint/no-implied-eval, @typescript-eslint/no-unsafe-call
  new Function('self', 'caches', 'fetch', 'Request', source)(self, caches, fetch, WorkerRequest);
});

it.each(['/assets/main.0123456789.js', '/fonts/app-sans.woff2', '/icon.svg'])('a full storage fails no request for %s', async (path) => {
  network = () => new Response('from the network');
  isFull = true;
  expect(await visit(path)).toBe('from the network');
  isBroken = true;
  expect(await visit(path)).toBe('from the network');
});

it('a full storage fails no page, and its older half is deleted', async () => {
  network = (path) => (path.startsWith('/assets/') ? new Response(path) : page('shell'));
  for (const name of ['a', 'b', 'c', 'd']) await visit(`/assets/${name}.js`);
  isFull = true;
  expect(await visit('/home', 'navigate')).toBe('shell');
  expect(kept('files-v1')).toEqual(['/assets/c.js', '/assets/d.js']);
});

it('hashed files are fetched once, and fonts are revalidated in the background', async () => {
  let release = 1;
  network = () => new Response(`release ${release}`);
  expect(await visit('/assets/main.0123456789.js')).toBe('release 1');
  expect(await visit('/fonts/app-sans.woff2')).toBe('release 1');
  release = 2;
  expect(await visit('/assets/main.0123456789.js')).toBe('release 1');
  expect(await visit('/fonts/app-sans.woff2')).toBe('release 1');
  expect(await visit('/fonts/app-sans.woff2')).toBe('release 2');
  network = () => null;
  expect(await visit('/fonts/app-sans.woff2')).toBe('release 2');
});

it('a screen opens with the last shell, which other server pages do not replace', async () => {
  network = () => page('shell');
  expect(await visit('/home', 'navigate')).toBe('shell');
  network = () => page('documentation');
  for (const path of ['/docs', '/docs/', '/docs/asyncapi', '/openapi.json', '/api/v1/x']) expect(await visit(path, 'navigate')).toBeNull();
  network = () => null;
  expect(await visit('/my/holdings', 'navigate')).toBe('shell');
  expect(await visit('/docs', 'navigate')).toBeNull();
});

it('a redirected page is shown and not cached', async () => {
  network = () => Object.defineProperty(page('elsewhere'), 'redirected', { value: true });
  expect(await visit('/home', 'navigate')).toBe('elsewhere');
  expect(kept('shell-v1')).toEqual([]);
  network = () => null;
  expect(await visit('/home', 'navigate')).toBe('failed');
});

it('keeps at most two hundred files, the newest', async () => {
  network = (path) => new Response(path);
  for (let count = 0; count < 205; count += 1) await visit(`/assets/${count}.js`);
  expect(kept('files-v1')).toHaveLength(200);
  expect(kept('files-v1')[0]).toBe('/assets/5.js');
});

it('keeps the files of a page of an older release without asking for what a newer one has removed', async () => {
  const asked: string[] = [];
  network = (path) => {
    asked.push(path);
    return new Response('', { status: 404 });
  };
  browserCache = (path) => (path === '/assets/evicted.css' ? (network(path) ?? new Response()) : new Response('from the release before'));
  const work: Promise<unknown>[] = [];
  const urls = ['/assets/route-home.0123456789.css', '/assets/evicted.css', '/api/v1/x'];
  listeners.get('message')?.({ data: { type: 'keep', urls }, waitUntil: (given: Promise<unknown>) => void work.push(given) });
  await Promise.all(work);
  expect(asked).toEqual(['/assets/evicted.css']);
  expect(kept('files-v1')).toEqual(['/assets/route-home.0123456789.css', '/before-paint.js', '/icon.svg']);
  expect(await visit('/assets/route-home.0123456789.css')).toBe('from the release before');
});

it('leaves the API and other origins to the browser', async () => {
  network = () => new Response('x');
  expect(await visit('/api/v1/stock', 'cors')).toBeNull();
  expect(await visit('/config.json', 'cors')).toBeNull();
});

const sent = { id: '41', title: '체결됐어요', body: '삼성전자 3주를 샀어요', link: '/my/orders', tag: 'a-tag', type: 'FILL', sid: '77' };

async function dispatch(name: string, event: Record<string, unknown>): Promise<void> {
  const work: Promise<unknown>[] = [];
  listeners.get(name)?.({ ...event, waitUntil: (given: Promise<unknown>) => void work.push(given) });
  await Promise.all(work);
}
const push = (json: () => unknown) => dispatch('push', { data: { json } });
const tap = (data: unknown) => dispatch('notificationclick', { notification: { close: () => undefined, data } });

it('shows every push, and one that comes again in its place without a sound', async () => {
  const shown = { body: sent.body, tag: 'a-tag', data: { link: '/my/orders', sid: '77' } };
  await push(() => sent);
  expect(showNotification).toHaveBeenLastCalledWith('체결됐어요', expect.objectContaining({ ...shown, silent: false }));
  await push(() => sent);
  expect(showNotification).toHaveBeenCalledTimes(2);
  expect(showNotification).toHaveBeenLastCalledWith('체결됐어요', expect.objectContaining({ ...shown, silent: true }));
  await push(() => ({ ...sent, id: '42' }));
  expect(showNotification).toHaveBeenLastCalledWith('체결됐어요', expect.objectContaining({ ...shown, silent: false }));
  isFull = true;
  isBroken = true;
  await push(() => ({ ...sent, id: '43' }));
  expect(showNotification).toHaveBeenCalledTimes(4);
});

it('shows a push while a page is open', async () => {
  const page = { focused: true, visibilityState: 'visible', focus: vi.fn(), postMessage: vi.fn(), navigate: vi.fn() };
  windows = [page];
  await push(() => sent);
  expect(showNotification).toHaveBeenCalledOnce();
});

it('remembers the newest fifty pushes', async () => {
  for (let id = 0; id < 55; id += 1) await push(() => ({ ...sent, id: String(id) }));
  expect(kept('pushes-v1')).toHaveLength(50);
});

it('shows that something came when a push cannot be read', async () => {
  await push(() => {
    throw new SyntaxError('no JSON');
  });
  for (const wrong of [null, 'text', {}, { ...sent, title: 1 }]) await push(() => wrong);
  await dispatch('push', { data: null });
  expect(showNotification).toHaveBeenCalledTimes(6);
  expect(showNotification).toHaveBeenLastCalledWith('시드업', expect.objectContaining({ tag: 'unreadable', data: { link: '/notifications', sid: null } }));
});

it('leads nowhere else', async () => {
  await push(() => ({ ...sent, link: '//elsewhere.example' }));
  expect(showNotification).toHaveBeenCalledWith(sent.title, expect.objectContaining({ data: { link: '/notifications', sid: '77' } }));
  await tap({ link: 'https://elsewhere.example/', sid: null });
  expect(openWindow).not.toHaveBeenCalled();
});

it('a tap opens a window where there is none', async () => {
  await tap({ link: '/my/orders?tab=done', sid: '77' });
  expect(openWindow).toHaveBeenCalledWith(`${ORIGIN}/my/orders?tab=done&notification=77`);
});

it('a tap goes on in the open window, which goes there itself or is led there', async () => {
  const open = (answers: boolean) => {
    const window = {
      focused: false,
      visibilityState: 'hidden',
      focus: vi.fn(() => Promise.resolve(window)),
      postMessage: vi.fn((_message: unknown, [port]: MessagePort[]) => {
        if (answers) port?.postMessage('taken');
      }),
      navigate: vi.fn(() => Promise.resolve(null)),
    };
    return window;
  };
  const quick = open(true);
  windows = [open(true), { ...quick, visibilityState: 'visible' }];
  await tap({ link: '/my/orders', sid: '77' });
  expect(quick.focus).toHaveBeenCalledOnce();
  expect(quick.postMessage).toHaveBeenCalledWith({ type: 'open', path: '/my/orders?notification=77' }, expect.anything());
  expect(quick.navigate).not.toHaveBeenCalled();
  const loading = open(false);
  windows = [loading];
  await tap({ link: '/my/orders', sid: null });
  expect(loading.navigate).toHaveBeenCalledWith(`${ORIGIN}/my/orders`);
  expect(openWindow).not.toHaveBeenCalled();
});
