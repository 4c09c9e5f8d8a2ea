import { api, unwrap } from '@/shared/api/client';
import { memberSid as sessionMember } from '@/shared/api/session';
import { readAccessToken } from '@/shared/api/sessionCookies';
import { tokenClaim } from '@/shared/api/tokenExpiry';
import { claimedPlatform } from './detectPlatform';
import { hasNativeShell, onNative, requestNative } from './nativeBridge';

/** Whether this device gets pushes: on, not asked for yet, refused by the browser or the system, or not possible. */
type PushState = 'on' | 'off' | 'blocked' | 'unsupported';

type Address = { kind: 'WEB'; endpoint: string; p256dh: string; auth: string } | { kind: 'FCM' | 'APNS'; token: string };

/** What the server was last told from this device. */
interface Told {
  memberSid: number;
  address: string;
  /** The login the subscription ends with. */
  session: string | null;
  /** When the address was last compared with the browser's. */
  checkedAt: number;
  /** Whether the member turned pushes off here, which the server has not confirmed yet. */
  isEnding: boolean;
}

const TOLD_KEY = 'push';
const TOKEN_WAIT_MS = 10_000;
const STOP_WAIT_MS = 5_000;
const WORKER = '/sw.js';
const CHECK_EVERY_MS = 24 * 3_600_000;

/** Whether the member who is logged in gets pushes on this device. */
export async function pushState(): Promise<PushState> {
  const told = readTold();
  const isMine = told !== null && told.memberSid === sessionMember();
  if (hasNativeShell()) return isMine ? 'on' : 'off';
  if (!hasWebPush()) return 'unsupported';
  if (Notification.permission === 'denied') return 'blocked';
  // Nothing is shown any more, but it can be turned off again: the server still has the address.
  if (isMine && told.isEnding) return 'on';
  const subscription = Notification.permission === 'granted' ? await webSubscription() : null;
  return subscription !== null && isMine ? 'on' : 'off';
}

/** Asks for permission and subscribes; to be called by a tap. Throws the problem when the server does not take it. */
export async function subscribeToPush(memberSid: number): Promise<PushState> {
  const address = hasNativeShell() ? await askNative() : await askBrowser();
  if (typeof address === 'string') return address;
  await tell(memberSid, address);
  return 'on';
}

/**
 * Gets no more pushes on this device. When the server cannot be told, it rejects and the state stays `on`, although a browser
 * shows no more; likewise when the browser fails, although the server sends no more.
 */
export async function unsubscribeFromPush(memberSid: number): Promise<void> {
  const told = readTold();
  if (told !== null) writeTold({ ...told, isEnding: true });
  const isNative = hasNativeShell();
  const subscription = isNative ? null : await webSubscription();
  const unsubscribed = subscription?.unsubscribe() ?? Promise.resolve(true);
  // First, so that nothing is shown whatever becomes of the request, which is sent even where the browser fails.
  await Promise.allSettled([unsubscribed]);
  const address = subscription?.endpoint ?? told?.address ?? '';
  if (address !== '') {
    const ended = isNative ? { kind: nativeKind(), token: address } : { kind: 'WEB' as const, endpoint: address };
    await unwrap(api.DELETE(PATH, { body: { memberSid, ...ended } }));
  }
  await unsubscribed;
  writeTold(null);
}

/**
 * Ends the browser's subscription with a logout, so that nothing of the member is shown even where the server has not heard of it.
 * Their choice stays: `renewPush` subscribes anew after their next login. A native shell is told of a logout by a message of its
 * own. Never rejects.
 */
export function stopShowingPushes(): Promise<void> {
  // A browser without workers or pushes rejects.
  stopping = hasNativeShell() ? Promise.resolve() : endWebSubscription().catch(() => undefined);
  return stopping;
}

let stopping: Promise<void> = Promise.resolve();

async function endWebSubscription(): Promise<void> {
  await (await webSubscription())?.unsubscribe();
}

/**
 * Tells the server again after a new login of the same member, or when the browser has another address, for which it looks once
 * a day; and that pushes were turned off here, until the server has heard it. Never rejects.
 */
export async function renewPush(memberSid: number): Promise<void> {
  const told = readTold();
  if (told?.memberSid !== memberSid) return;
  const session = sessionId();
  const sinceCheck = Date.now() - told.checkedAt;
  if (!told.isEnding && told.session === session && sinceCheck >= 0 && sinceCheck < CHECK_EVERY_MS) return;
  // Otherwise the server would be told of the subscription that is just ending. A browser may never say that it has ended.
  await Promise.race([stopping, new Promise((resolve) => setTimeout(resolve, STOP_WAIT_MS))]);
  try {
    if (told.isEnding) {
      await unsubscribeFromPush(memberSid);
      return;
    }
    if (hasNativeShell()) {
      if (told.session !== session) await tell(memberSid, { kind: nativeKind(), token: told.address });
      return;
    }
    if (!hasWebPush() || Notification.permission !== 'granted') return;
    const subscription = (await webSubscription()) ?? (await subscribeBrowser());
    if (subscription !== null && (subscription.endpoint !== told.address || told.session !== session)) {
      await tell(memberSid, webAddress(subscription));
    } else if (told.session === session) {
      // A browser without a push service is not asked again at each start. After a login it is: the logout ended a subscription.
      writeTold({ memberSid, session, address: subscription?.endpoint ?? '', checkedAt: Date.now(), isEnding: false });
    }
  } catch {
    // Without the server the next visit tries again.
  }
}

const PATH = '/api/v1/notification/subscription';

async function tell(memberSid: number, address: Address): Promise<void> {
  await unwrap(api.POST(PATH, { body: { memberSid, ...address } }));
  const told = address.kind === 'WEB' ? address.endpoint : address.token;
  writeTold({ memberSid, session: sessionId(), address: told, checkedAt: Date.now(), isEnding: false });
}

async function askBrowser(): Promise<Address | PushState> {
  if (!hasWebPush()) return 'unsupported';
  const permission = await Notification.requestPermission();
  if (permission !== 'granted') return permission === 'denied' ? 'blocked' : 'off';
  const subscription = await subscribeBrowser();
  return subscription === null ? 'unsupported' : webAddress(subscription);
}

/** Null where the installation has no key, or the browser no push service. */
async function subscribeBrowser(): Promise<PushSubscription | null> {
  const { publicKey } = await unwrap(api.GET('/api/v1/notification/push-key'));
  if (publicKey === null || publicKey === undefined) return null;
  const key = bytes(publicKey);
  await navigator.serviceWorker.register(WORKER);
  const { pushManager } = await navigator.serviceWorker.ready;
  const existing = await pushManager.getSubscription();
  if (existing !== null) {
    if (isSameKey(existing, key)) return existing;
    // The installation has another key since.
    await existing.unsubscribe();
  }
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }).catch((thrown: unknown) => {
    if (thrown instanceof DOMException && thrown.name === 'AbortError') return null;
    throw thrown;
  });
}

/** Asks the system through the shell, which then says the token. */
async function askNative(): Promise<Address | PushState> {
  let stop = () => undefined as void;
  const token = new Promise<string | null>((resolve) => {
    stop = onNative('pushToken', ({ token: given }) => resolve(given));
    setTimeout(() => resolve(null), TOKEN_WAIT_MS);
  });
  try {
    if ((await requestNative('pushPermission', {})) === null) return 'blocked';
    const given = await token;
    return given === null ? 'off' : { kind: nativeKind(), token: given };
  } finally {
    stop();
  }
}

/** The login of the token in use. */
function sessionId(): string | null {
  const sid = tokenClaim(readAccessToken() ?? '', 'sid');
  return typeof sid === 'string' ? sid : null;
}

function nativeKind(): 'FCM' | 'APNS' {
  return claimedPlatform(navigator.userAgent) === 'ios' ? 'APNS' : 'FCM';
}

function hasWebPush(): boolean {
  return 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;
}

async function webSubscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration(WORKER);
  return (await registration?.pushManager.getSubscription()) ?? null;
}

function webAddress(subscription: PushSubscription): Address {
  const { p256dh = '', auth = '' } = subscription.toJSON().keys ?? {};
  return { kind: 'WEB', endpoint: subscription.endpoint, p256dh, auth };
}

function isSameKey({ options }: PushSubscription, key: Uint8Array): boolean {
  if (options.applicationServerKey === null) return false;
  const used = new Uint8Array(options.applicationServerKey);
  return used.length === key.length && used.every((byte, index) => byte === key[index]);
}

function bytes(base64url: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64url.replace(/-/g, '+').replace(/_/g, '/'));
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}

function readTold(): Told | null {
  try {
    const told = JSON.parse(localStorage.getItem(TOLD_KEY) ?? 'null') as Partial<Told> | null;
    if (typeof told?.memberSid !== 'number' || typeof told.address !== 'string') return null;
    const { memberSid, address, session = null, checkedAt = 0, isEnding = false } = told;
    return { memberSid, address, session, checkedAt, isEnding };
  } catch {
    return null;
  }
}

function writeTold(told: Told | null): void {
  try {
    if (told === null) localStorage.removeItem(TOLD_KEY);
    else localStorage.setItem(TOLD_KEY, JSON.stringify(told));
  } catch {
    // Storage is unavailable: the card offers pushes again on the next visit.
  }
}
