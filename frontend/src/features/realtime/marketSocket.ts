import { connectionState, setConnection } from '@/shared/realtime/connection';
import { emitNotice } from '@/shared/realtime/notices';
import type { Destination, Tick } from '@/shared/realtime/tick';
import { cap, type SubscriptionFrame, subscriptionFrames } from './subscriptions';
import type { FillCursorStore } from './fillCursors';
import { createMemberChannel } from './memberChannel';
import type { SiseToken } from './siseToken';
import { parseFrame } from './wireFrames';

const PING_MS = 30_000;
const WATCHDOG_MS = 5_000;
const MAX_RETRIES = 3;
/** Pongs alone arrive more often; a socket that is silent for longer is probed. */
const SILENCE_MS = 35_000;
/** Time to answer a probe. Timers of a hidden page are late, and so may be its pings. */
const PROBE_MS = 5_000;
/** The server closes a socket after this silence. */
const DEAD_MS = 75_000;
const SUBSCRIPTION_DEBOUNCE_MS = 150;
/** The server accepts five messages a second. */
const FRAME_GAP_MS = 220;

interface MarketSocketOptions {
  url: string;
  /** Receives the ticks and knows the watched codes. */
  store: {
    apply: (ticks: readonly Tick[]) => void;
    isWatched: (code: string, destination: Destination) => boolean;
    watched: () => Map<Destination, Set<string>>;
    onWatchedChange: (listener: () => void) => () => void;
  };
  /** The token of the member's channel, a new one if `isFresh`; null without a member. Rejects when no token is available now. */
  authToken: (isFresh: boolean) => Promise<SiseToken | null>;
  /** Persists the fill cursor, so that the first connection also requests fills made while the page was closed. */
  fillCursors?: FillCursorStore;
  openSocket?: (url: string) => WebSocket;
}

export interface MarketSocket {
  /** Opens the connection, or checks that it is alive. */
  resume: () => void;
  /** Closes it on purpose, such as for a hidden page in a native shell. */
  pause: () => void;
  /** Starts over after the retries are used up. */
  reconnect: () => void;
  /** The member has changed: drops the previous member and the connection authenticated for them. */
  changeMember: () => void;
  stop: () => void;
}

/**
 * The single connection to the market. It subscribes to the watched codes, monitors itself (ping every 30 s, watchdog every 5
 * s, three retries) and passes ticks to the store. It does not depend on React.
 */
export function createMarketSocket({
  url,
  store,
  authToken,
  fillCursors,
  openSocket = (to) => new WebSocket(to),
}: MarketSocketOptions): MarketSocket {
  let socket: WebSocket | null = null;
  let subscribed: Map<Destination, Set<string>> = new Map();
  let outbox: SubscriptionFrame[] = [];
  let retries = 0;
  let lastMessageAtMs = 0;
  let isWanted = false;
  let probedAtMs: number | null = null;
  let pingTimer: ReturnType<typeof setInterval> | undefined;
  let syncTimer: ReturnType<typeof setTimeout> | undefined;
  let sendTimer: ReturnType<typeof setTimeout> | undefined;

  const channel = createMemberChannel({ authToken, fillCursors, send });
  const watchdog = setInterval(watch, WATCHDOG_MS);
  const stopWatching = store.onWatchedChange(() => {
    syncTimer ??= setTimeout(syncSubscriptions, SUBSCRIPTION_DEBOUNCE_MS);
  });

  function open(): void {
    close();
    isWanted = true;
    subscribed = new Map();
    outbox = [];
    lastMessageAtMs = Date.now();
    probedAtMs = null;
    if (connectionState().status === 'idle') setConnection({ status: 'connecting' });
    const opened = openSocket(url);
    socket = opened;
    opened.onopen = () => {
      if (socket !== opened) return;
      lastMessageAtMs = Date.now();
      // Whether the feed is stale stays as it was known until the first pong.
      setConnection({ status: 'live', liveSinceMs: Date.now(), resumes: connectionState().resumes + 1 });
      pingTimer = setInterval(() => send({ type: 'ping' }), PING_MS);
      send({ type: 'ping' });
      channel.authenticate(false);
      syncSubscriptions();
    };
    opened.onmessage = (event: MessageEvent) => {
      if (socket === opened && typeof event.data === 'string') receive(event.data);
    };
    opened.onclose = () => {
      if (socket === opened) drop();
    };
  }

  function close(): void {
    clearInterval(pingTimer);
    clearTimeout(syncTimer);
    clearTimeout(sendTimer);
    channel.interrupt();
    syncTimer = undefined;
    sendTimer = undefined;
    const closing = socket;
    socket = null;
    closing?.close();
  }

  /** The connection is lost; the watchdog reconnects until the retries are used up. */
  function drop(): void {
    close();
    if (isWanted) setConnection({ status: retries >= MAX_RETRIES ? 'lost' : 'reconnecting' });
  }

  function watch(): void {
    if (!isWanted || connectionState().status === 'lost') return;
    const isStuck = socket?.readyState === WebSocket.CONNECTING && Date.now() - lastMessageAtMs > WATCHDOG_MS;
    if (isStuck || hasNotAnswered()) drop();
    else if (socket !== null && probedAtMs === null && Date.now() - lastMessageAtMs > SILENCE_MS) probe();
    if (socket !== null) return;
    if (retries >= MAX_RETRIES) {
      setConnection({ status: 'lost' });
      return;
    }
    retries += 1;
    setConnection({ status: 'reconnecting' });
    open();
  }

  function probe(): void {
    probedAtMs = Date.now();
    send({ type: 'ping' });
  }

  function hasNotAnswered(): boolean {
    return socket !== null && probedAtMs !== null && Date.now() - probedAtMs >= PROBE_MS;
  }

  function receive(text: string): void {
    lastMessageAtMs = Date.now();
    probedAtMs = null;
    // Only a received message counts as a successful connection.
    retries = 0;
    const frame = parseFrame(text);
    switch (frame.kind) {
      case 'prices': {
        const wanted = frame.ticks.filter(({ code }) => store.isWatched(code, frame.destination));
        store.apply(wanted);
        // A snapshot may be as old as an outage.
        if (wanted.length > 0 && !frame.isSnapshot) setConnection({ lastTickAtMs: Date.now() });
        break;
      }
      case 'fills':
        for (const fill of frame.fills) channel.receiveFill(fill);
        break;
      case 'notice':
        emitNotice({ unread: frame.unread });
        break;
      case 'gap':
        channel.receiveGap(frame.from);
        break;
      case 'pong':
        setConnection({ openMarkets: frame.open, isFeedStale: frame.isStale });
        break;
      case 'stale':
        setConnection({ isFeedStale: frame.isStale });
        break;
      case 'rejected':
        channel.reject(frame.isTokenOver);
        break;
      case 'authenticated':
        channel.accept();
        break;
      case 'other':
        break;
    }
  }

  function syncSubscriptions(): void {
    syncTimer = undefined;
    if (socket?.readyState !== WebSocket.OPEN) return;
    const wanted = cap(store.watched());
    outbox.push(...subscriptionFrames(subscribed, wanted));
    subscribed = wanted;
    if (sendTimer === undefined) sendNext();
  }

  function sendNext(): void {
    sendTimer = undefined;
    const frame = outbox.shift();
    if (!frame) return;
    send(frame);
    sendTimer = setTimeout(sendNext, FRAME_GAP_MS);
  }

  function send(message: object): void {
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
  }

  return {
    resume() {
      isWanted = true;
      const silentMs = Date.now() - lastMessageAtMs;
      if (socket !== null && silentMs <= DEAD_MS) {
        if (silentMs > SILENCE_MS) probe();
        return;
      }
      retries = 0;
      if (connectionState().status !== 'idle') setConnection({ status: 'reconnecting' });
      open();
    },
    pause() {
      isWanted = false;
      close();
    },
    reconnect() {
      retries = 0;
      setConnection({ status: 'reconnecting' });
      open();
    },
    changeMember() {
      const hadMember = channel.forget();
      // The next connection authenticates by itself.
      if (!isWanted) return;
      if (hadMember) {
        retries = 0;
        open();
      } else if (socket?.readyState === WebSocket.OPEN) channel.authenticate(false);
    },
    stop() {
      isWanted = false;
      clearInterval(watchdog);
      stopWatching();
      close();
      setConnection({ status: 'idle', fills: 'none' });
    },
  };
}
