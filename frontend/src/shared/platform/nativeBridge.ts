import * as v from 'valibot';

/** The envelope version; messages of other versions are ignored. */
const BRIDGE_VERSION = 1;
const REPLY_TIMEOUT_MS = 3_000;
const MAX_MESSAGE = 16_384;

/** The messages the page may send. */
interface OutgoingMessages {
  ready: { version: string };
  login: { memberSid: number };
  logout: Record<string, never>;
  haptic: { kind: 'selection' | 'success' | 'warning' | 'error' };
  share: { title: string; url: string };
  openExternal: { url: string };
  openStore: Record<string, never>;
  statusBar: { dark: boolean };
  backState: { canGoBack: boolean; overlay: boolean };
  pushPermission: Record<string, never>;
  keyboardMode: { mode: 'resize' | 'pan' };
  log: { level: 'warn' | 'error'; message: string };
}

const Path = v.pipe(v.string(), v.maxLength(2_048), v.regex(/^\/(?![/\\])[^\\\s]*$/));
const Inset = v.pipe(v.number(), v.minValue(0), v.maxValue(200));

const Incoming = v.variant('type', [
  v.object({ type: v.literal('back'), payload: v.object({}) }),
  v.object({ type: v.literal('pushToken'), payload: v.object({ token: v.pipe(v.string(), v.minLength(1), v.maxLength(4_096)) }) }),
  v.object({ type: v.literal('deepLink'), payload: v.object({ path: Path }) }),
  v.object({ type: v.literal('appState'), payload: v.object({ state: v.picklist(['active', 'background']) }) }),
  v.object({ type: v.literal('safeArea'), payload: v.object({ top: Inset, right: Inset, bottom: Inset, left: Inset }) }),
  v.object({ type: v.literal('fontScale'), payload: v.object({ scale: v.pipe(v.number(), v.minValue(0.5), v.maxValue(4)) }) }),
  v.object({ type: v.literal('reply'), payload: v.object({ ok: v.boolean(), data: v.optional(v.unknown()) }) }),
]);
const Envelope = v.object({ v: v.literal(BRIDGE_VERSION), id: v.pipe(v.string(), v.minLength(1), v.maxLength(64)) });

type IncomingMessage = v.InferOutput<typeof Incoming>;
type IncomingType = Exclude<IncomingMessage['type'], 'reply'>;
type IncomingPayload<Type extends IncomingType> = Extract<IncomingMessage, { type: Type }>['payload'];

interface NativeWindow {
  ReactNativeWebView?: { postMessage: (message: string) => void };
  webkit?: { messageHandlers?: { app?: { postMessage: (message: object) => void } } };
  AppBridge?: { postMessage: (message: string) => void };
  __app?: { receive: (message: unknown) => void };
}

type Listener = (payload: never) => void;

const listeners = new Map<IncomingType, Set<Listener>>();
const waiting = new Map<string, (reply: { ok: boolean; data?: unknown }) => void>();
let nextId = 1;
let isListening = false;

export function hasNativeShell(): boolean {
  return transport() !== null;
}

/** Sends a message. False without a shell, so that the caller falls back to the web. */
export function sendToNative<Type extends keyof OutgoingMessages>(type: Type, payload: OutgoingMessages[Type]): boolean {
  return post(type, payload) !== null;
}

/** Sends a request and waits for its reply, for three seconds. Null without a shell or reply, or when it is rejected. */
export function requestNative<Type extends keyof OutgoingMessages>(type: Type, payload: OutgoingMessages[Type]): Promise<{ data: unknown } | null> {
  listenToNative();
  const id = post(type, payload);
  if (id === null) return Promise.resolve(null);
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      waiting.delete(id);
      resolve(null);
    }, REPLY_TIMEOUT_MS);
    waiting.set(id, ({ ok, data }) => {
      clearTimeout(timer);
      resolve(ok ? { data } : null);
    });
  });
}

/** Calls back for each valid message of a type. Returns the cleanup. */
export function onNative<Type extends IncomingType>(type: Type, listener: (payload: IncomingPayload<Type>) => void): () => void {
  listenToNative();
  const ofType = listeners.get(type) ?? new Set<Listener>();
  listeners.set(type, ofType);
  ofType.add(listener);
  return () => void ofType.delete(listener);
}

/** Starts listening, once. Without a shell nothing listens, so no other page can pose as one. */
function listenToNative(): void {
  if (isListening || !hasNativeShell() || window.top !== window) return;
  isListening = true;
  (window as NativeWindow).__app = { receive };
  // React Native posts to the document on Android and to the window on iOS.
  document.addEventListener('message', onMessage as EventListener);
  window.addEventListener('message', onMessage);
}

/** Stops listening and drops pending requests; for tests and hot reloads. */
export function stopListeningToNative(): void {
  isListening = false;
  delete (window as NativeWindow).__app;
  document.removeEventListener('message', onMessage as EventListener);
  window.removeEventListener('message', onMessage);
  listeners.clear();
  waiting.clear();
}

function onMessage(event: MessageEvent): void {
  // Messages of a shell have no source window; those of frames and other windows do and are ignored.
  if (event.source !== null && event.source !== undefined && event.source !== window) return;
  receive(event.data);
}

function receive(raw: unknown): void {
  const parsed = parse(raw);
  const envelope = v.safeParse(Envelope, parsed);
  const message = v.safeParse(Incoming, parsed);
  if (!envelope.success || !message.success) return;
  const { type, payload } = message.output;
  if (type === 'reply') {
    waiting.get(envelope.output.id)?.(payload);
    waiting.delete(envelope.output.id);
    return;
  }
  for (const listener of listeners.get(type) ?? []) (listener as (payload: unknown) => void)(payload);
}

function parse(raw: unknown): unknown {
  if (typeof raw !== 'string') return raw;
  if (raw.length > MAX_MESSAGE) return null;
  try {
    return JSON.parse(raw);
  } catch {
    return null;
  }
}

function post(type: string, payload: object): string | null {
  const send = transport();
  if (send === null) return null;
  const id = `w${nextId++}`;
  try {
    send({ v: BRIDGE_VERSION, id, type, payload });
    return id;
  } catch {
    // A shell that is being destroyed throws; the caller falls back as without one.
    return null;
  }
}

function transport(): ((message: object) => void) | null {
  const { ReactNativeWebView, webkit, AppBridge } = window as NativeWindow;
  if (ReactNativeWebView) return (message) => ReactNativeWebView.postMessage(JSON.stringify(message));
  const app = webkit?.messageHandlers?.app;
  if (app) return (message) => app.postMessage(message);
  if (AppBridge) return (message) => AppBridge.postMessage(JSON.stringify(message));
  return null;
}
