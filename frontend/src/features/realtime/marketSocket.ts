import { connectionState, setConnection } from '@/shared/realtime/connection';
import type { Destination, Tick } from '@/shared/realtime/tick';
import { cap, type SubscriptionFrame, subscriptionFrames } from './subscriptions';
import type { FillCursorStore } from './fillCursors';
import { createMemberChannel } from './memberChannel';
import type { SiseToken } from './siseToken';
import { parseFrame } from './wireFrames';

const PING_MS = 30_000;
const WATCHDOG_MS = 5_000;
const MAX_RETRIES = 3;
/** Pongs alone come more often than this: a socket that is silent for longer is asked whether it lives. */
const SILENCE_MS = 35_000;
/** It has so long to answer. Timers of a hidden page are late, so the pings it was sent may be, too. */
const PROBE_MS = 5_000;
/** The server itself ends a socket after such a silence. */
const DEAD_MS = 75_000;
const SUBSCRIPTION_DEBOUNCE_MS = 150;
/** The server takes five messages a second. */
const FRAME_GAP_MS = 220;

export interface MarketSocketOptions {
  url: string;
  /** Where ticks go, and who looks at what. */
  store: {
    apply: (ticks: readonly Tick[]) => void;
    isWatched: (code: string, destination: Destination) => boolean;
    watched: () => Map<Destination, Set<string>>;
    onWatchedChange: (listener: () => void) => () => void;
  };
  /** The token for the member's own channel, a new one if asked; null for nobody. Rejects when there is none to be had now. */
  authToken: (isFresh: boolean) => Promise<SiseToken | null>;
  /** What outlives the page: fills made while it was closed are asked for by the first connection too. */
  fillCursors?: FillCursorStore;
  openSocket?: (url: string) => WebSocket;
}

export interface MarketSocket {
  /** Opens the connection, or makes sure that it still lives. */
  resume: () => void;
  /** Closes it on purpose: the page is hidden in a native shell. */
  pause: () => void;
  /** Starts over after the retries were used up. */
  reconnect: () => void;
  /** Somebody else is signed in, or nobody: forgets the member before, with the connection that knew them. */
  changeMember: () => void;
  stop: () => void;
}

/**
 * The one connection to the market. It subscribes to what is looked at, answers for its own health (a ping every 30 s, a
 * watchdog every 5 s, three retries) and hands prices to the store; it knows nothing of React.
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
      setConnection({ status: 'live', isFeedStale: false, resumes: connectionState().resumes + 1 });
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

  /** The connection is gone: the next watchdog tries again, until the retries are used up. */
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
    // Only a connection that really answered counts as a success.
    retries = 0;
    const frame = parseFrame(text);
    switch (frame.kind) {
      case 'prices': {
        const wanted = frame.ticks.filter(({ code }) => store.isWatched(code, frame.destination));
        store.apply(wanted);
        if (wanted.length > 0) setConnection({ lastTickAtMs: Date.now() });
        break;
      }
      case 'fills':
        for (const fill of frame.fills) channel.takeFill(fill);
        break;
      case 'gap':
        channel.takeGap(frame.from);
        break;
      case 'pong':
        setConnection({ openMarkets: frame.open });
        break;
      case 'stale':
        setConnection({ isFeedStale: frame.isStale });
        break;
      case 'refused':
        channel.refuse(frame.isTokenOver);
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
      // A connection to come says by itself who is signed in.
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
