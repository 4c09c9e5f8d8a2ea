import { connectionState, setConnection } from '@/shared/realtime/connection';
import { emitFill, emitFillGap } from '@/shared/realtime/fills';
import type { Destination, Tick } from '@/shared/realtime/tick';
import { cap, type SubscriptionFrame, subscriptionFrames } from './subscriptions';
import { fillFromWire } from './fillFromWire';
import type { FillMemory } from './fillMemory';
import { parseFrame } from './wireFrames';

const PING_MS = 30_000;
const WATCHDOG_MS = 5_000;
const MAX_RETRIES = 3;
/** A silent socket is dead: pongs alone come more often than this. */
const SILENCE_MS = 35_000;
const SETTLE_SUBSCRIPTIONS_MS = 150;
/** The server takes five messages a second. */
const FRAME_GAP_MS = 220;
/** A refused token is replaced, but not over and over. */
const REAUTHENTICATE_MS = 60_000;

export interface MarketSocketOptions {
  url: string;
  /** Where ticks go, and who looks at what. */
  store: {
    apply: (ticks: readonly Tick[]) => void;
    isWatched: (code: string, destination: Destination) => boolean;
    watched: () => Map<Destination, Set<string>>;
    onWatchedChange: (listener: () => void) => () => void;
  };
  /** The token for the member's own channel, a new one if asked; null for nobody. */
  authToken: (isFresh: boolean) => Promise<string | null>;
  /** What outlives the page: fills made while it was closed are asked for by the first connection too. */
  fillMemory?: FillMemory;
  openSocket?: (url: string) => WebSocket;
}

export interface MarketSocket {
  /** Opens the connection, or makes sure that it still lives. */
  resume: () => void;
  /** Closes it on purpose: the page is hidden in a native shell. */
  pause: () => void;
  /** Starts over after the retries were used up. */
  reconnect: () => void;
  /** Says again who is signed in. */
  authenticate: () => void;
  /** Forgets the member and connects as nobody. */
  signOut: () => void;
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
  fillMemory,
  openSocket = (to) => new WebSocket(to),
}: MarketSocketOptions): MarketSocket {
  let socket: WebSocket | null = null;
  let known: Map<Destination, Set<string>> = new Map();
  let outbox: SubscriptionFrame[] = [];
  let retries = 0;
  let lastMessageAtMs = 0;
  let isWanted = false;
  let lastFillSeq: number | null = null;
  let refusedAtMs = 0;
  let pingTimer: ReturnType<typeof setInterval> | undefined;
  let settleTimer: ReturnType<typeof setTimeout> | undefined;
  let sendTimer: ReturnType<typeof setTimeout> | undefined;

  const watchdog = setInterval(watch, WATCHDOG_MS);
  const stopWatching = store.onWatchedChange(() => {
    settleTimer ??= setTimeout(settleSubscriptions, SETTLE_SUBSCRIPTIONS_MS);
  });

  function open(): void {
    close();
    isWanted = true;
    known = new Map();
    outbox = [];
    lastMessageAtMs = Date.now();
    if (connectionState().status === 'idle') setConnection({ status: 'connecting' });
    const opened = openSocket(url);
    socket = opened;
    opened.onopen = () => {
      if (socket !== opened) return;
      lastMessageAtMs = Date.now();
      setConnection({ status: 'live', isFeedStale: false, resumes: connectionState().resumes + 1 });
      pingTimer = setInterval(() => send({ type: 'ping' }), PING_MS);
      send({ type: 'ping' });
      authenticate(false);
      settleSubscriptions();
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
    clearTimeout(settleTimer);
    clearTimeout(sendTimer);
    settleTimer = undefined;
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
    const isSilent = socket !== null && Date.now() - lastMessageAtMs > SILENCE_MS;
    const isStuck = socket?.readyState === WebSocket.CONNECTING && Date.now() - lastMessageAtMs > WATCHDOG_MS;
    if (isSilent || isStuck) drop();
    if (socket !== null) return;
    if (retries >= MAX_RETRIES) {
      setConnection({ status: 'lost' });
      return;
    }
    retries += 1;
    setConnection({ status: 'reconnecting' });
    open();
  }

  function receive(text: string): void {
    lastMessageAtMs = Date.now();
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
        for (const fill of frame.fills) receiveFill(fill);
        break;
      case 'gap':
        emitFillGap();
        break;
      case 'pong':
        setConnection({ openMarkets: frame.open });
        break;
      case 'stale':
        setConnection({ isFeedStale: frame.isStale });
        break;
      case 'refused':
        if (Date.now() - refusedAtMs < REAUTHENTICATE_MS) break;
        refusedAtMs = Date.now();
        authenticate(true);
        break;
      case 'authenticated':
      case 'other':
        break;
    }
  }

  /** Fills the server repeats after a reconnection are told once. */
  function receiveFill(wire: Record<string, unknown>): void {
    const event = fillFromWire(wire);
    const { seq } = event.raw;
    if (typeof seq === 'number') {
      if (lastFillSeq !== null && seq <= lastFillSeq) return;
      lastFillSeq = seq;
      fillMemory?.write(seq);
    }
    emitFill(event);
  }

  function settleSubscriptions(): void {
    settleTimer = undefined;
    if (socket?.readyState !== WebSocket.OPEN) return;
    const wanted = cap(store.watched());
    outbox.push(...subscriptionFrames(known, wanted));
    known = wanted;
    if (sendTimer === undefined) sendNext();
  }

  function sendNext(): void {
    sendTimer = undefined;
    const frame = outbox.shift();
    if (!frame) return;
    send(frame);
    sendTimer = setTimeout(sendNext, FRAME_GAP_MS);
  }

  function authenticate(isFresh: boolean): void {
    const asking = socket;
    void authToken(isFresh)
      .catch(() => null)
      .then((token) => {
        if (token === null || socket !== asking) return;
        lastFillSeq ??= fillMemory?.read() ?? null;
        send({ type: 'AUTH', token, ...(lastFillSeq === null ? {} : { lastFillSeq }) });
      });
  }

  function send(message: object): void {
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
  }

  return {
    resume() {
      isWanted = true;
      const isZombie = socket !== null && Date.now() - lastMessageAtMs > SILENCE_MS;
      if (socket !== null && !isZombie) return;
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
    authenticate: () => authenticate(false),
    signOut() {
      lastFillSeq = null;
      retries = 0;
      open();
    },
    stop() {
      isWanted = false;
      clearInterval(watchdog);
      stopWatching();
      close();
      setConnection({ status: 'idle' });
    },
  };
}
