import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { connectionState, setConnection } from '@/shared/realtime/connection';
import { clearEarlyFills, onFill, onFillGap } from '@/shared/realtime/fills';
import type { Destination, Tick } from '@/shared/realtime/tick';
import { createMarketSocket } from './marketSocket';
import type { SiseToken } from './siseToken';

class FakeSocket {
  readyState: number = WebSocket.CONNECTING;
  readonly sent: Record<string, unknown>[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: (() => void) | null = null;

  send(text: string) {
    this.sent.push(JSON.parse(text) as Record<string, unknown>);
  }

  close() {
    this.readyState = WebSocket.CLOSED;
  }

  accept() {
    this.readyState = WebSocket.OPEN;
    this.onopen?.();
  }

  say(message: object) {
    this.onmessage?.({ data: JSON.stringify(message) });
  }

  die() {
    this.readyState = WebSocket.CLOSED;
    this.onclose?.();
  }
}

const sockets: FakeSocket[] = [];
const newest = () => sockets.at(-1) as FakeSocket;
const applied: Tick[] = [];
const remembered: [number, number][] = [];
const known = new Map<number, number>();
const watched = new Map<Destination, Set<string>>();
let changeWatched: () => void = () => undefined;

const granted = { memberSid: 1, token: 'sise-token' };

function start(authToken: (isFresh: boolean) => Promise<SiseToken | null> = () => Promise.resolve(null)) {
  const socket = createMarketSocket({
    url: 'ws://sise/ws2',
    store: {
      apply: (ticks) => void applied.push(...ticks),
      isWatched: (code, destination) => watched.get(destination)?.has(code) === true,
      watched: () => watched,
      onWatchedChange: (listener) => {
        changeWatched = listener;
        return () => undefined;
      },
    },
    authToken,
    fillCursors: { read: (memberSid) => known.get(memberSid) ?? null, write: (memberSid, seq) => void remembered.push([memberSid, seq]) },
    openSocket: () => {
      const opened = new FakeSocket();
      sockets.push(opened);
      return opened as unknown as WebSocket;
    },
  });
  socket.resume();
  return socket;
}

const signedIn = () => Promise.resolve(granted);
const auths = (socket: FakeSocket) => socket.sent.filter(({ type }) => type === 'AUTH');
const pings = (socket: FakeSocket) => socket.sent.filter(({ type }) => type === 'ping').length;
let running: ReturnType<typeof start>;

beforeEach(() => {
  vi.useFakeTimers();
  sockets.length = 0;
  applied.length = 0;
  remembered.length = 0;
  known.clear();
  clearEarlyFills();
  watched.clear();
  setConnection({ status: 'idle', resumes: 0, liveSinceMs: null, lastTickAtMs: null, isFeedStale: false, fills: 'none', openMarkets: {} });
});

afterEach(() => {
  running.stop();
  vi.useRealTimers();
});

describe('the market socket', () => {
  it('subscribes to the watched codes and follows their changes', async () => {
    watched.set('/stock/realData', new Set(['005930', '000660']));
    running = start();
    newest().accept();
    await vi.advanceTimersByTimeAsync(10);
    expect(newest().sent).toContainEqual({ type: 'SUBSCRIBE', destination: '/stock/realData', codes: ['005930', '000660'] });
    watched.set('/stock/realData', new Set(['000660']));
    watched.set('/coin/realData', new Set(['KRW-BTC']));
    changeWatched();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(newest().sent.slice(-2)).toEqual([
      { type: 'UNSUBSCRIBE', destination: '/stock/realData', codes: ['005930'] },
      { type: 'SUBSCRIBE', destination: '/coin/realData', codes: ['KRW-BTC'] },
    ]);
  });

  it('pings every 30 seconds and reads which markets are open', () => {
    running = start();
    newest().accept();
    expect(pings(newest())).toBe(1);
    newest().say({ type: 'pong', serverTime: 1, open: { KRX: true, US: false } });
    vi.advanceTimersByTime(30_000);
    newest().say({ type: 'pong', open: {} });
    vi.advanceTimersByTime(30_000);
    expect(pings(newest())).toBe(3);
  });

  it('passes on ticks of watched codes only, of which those of a snapshot are not fresh', () => {
    watched.set('/coin/realData', new Set(['KRW-BTC']));
    running = start();
    newest().accept();
    const price = { trd_dd: '20261121', trd_tm: '090000', trd_prc: 100, prev_dd_prc: 90, tick_seq: 7 };
    newest().say({
      destination: '/coin/realData',
      seq: 1,
      snapshot: true,
      payload: [{ isu_srt_cd: 'KRW-BTC', ...price }, { isu_srt_cd: 'KRW-ETH', ...price }, { isu_srt_cd: 'KRW-BTC', trd_prc: 'x' }],
    });
    expect(applied.map(({ code, price: at, seq }) => [code, at, seq])).toEqual([['KRW-BTC', 100, 7]]);
    expect(connectionState()).toMatchObject({ liveSinceMs: Date.now(), lastTickAtMs: null });
    newest().say({ destination: '/coin/realData', seq: 2, snapshot: false, payload: [{ isu_srt_cd: 'KRW-BTC', ...price, tick_seq: 8 }] });
    expect(connectionState().lastTickAtMs).toBe(Date.now());
  });

  it('reconnects within five seconds and counts the resume', () => {
    running = start();
    newest().accept();
    newest().say({ type: 'pong', open: {} });
    newest().die();
    expect(connectionState().status).toBe('reconnecting');
    vi.advanceTimersByTime(5_000);
    newest().accept();
    expect(connectionState()).toMatchObject({ status: 'live', resumes: 2 });
  });

  it('gives up after three retries within twenty seconds, until a manual reconnect', () => {
    running = start();
    newest().die();
    for (let retry = 0; retry < 3; retry += 1) {
      vi.advanceTimersByTime(5_000);
      newest().die();
    }
    expect(sockets).toHaveLength(4);
    expect(connectionState().status).toBe('lost');
    vi.advanceTimersByTime(60_000);
    expect(sockets).toHaveLength(4);
    running.reconnect();
    newest().accept();
    expect(connectionState().status).toBe('live');
  });

  it('replaces a silent connection', () => {
    running = start();
    newest().accept();
    vi.advanceTimersByTime(45_000);
    expect(sockets.length).toBeGreaterThan(1);
  });

  it('probes a connection before dropping it, because timers of a hidden page are late', () => {
    running = start();
    newest().accept();
    // The ping of this minute has not left yet when the watchdog comes by.
    vi.setSystemTime(Date.now() + 60_000);
    vi.advanceTimersByTime(5_000);
    expect(sockets).toHaveLength(1);
    newest().say({ type: 'pong', open: {} });
    vi.advanceTimersByTime(10_000);
    expect(sockets).toHaveLength(1);
    // A wake as late as that asks, too.
    vi.setSystemTime(Date.now() + 50_000);
    running.resume();
    expect(pings(newest())).toBeGreaterThan(1);
    expect(sockets).toHaveLength(1);
  });

  it('replaces a dead connection at once when the page wakes', () => {
    running = start();
    newest().accept();
    vi.setSystemTime(Date.now() + 120_000);
    running.resume();
    expect(sockets).toHaveLength(2);
    running.resume();
    expect(sockets).toHaveLength(2);
  });

  it('stays closed while paused', () => {
    running = start();
    newest().accept();
    running.pause();
    vi.advanceTimersByTime(60_000);
    expect(sockets).toHaveLength(1);
    running.resume();
    expect(sockets).toHaveLength(2);
  });

  it('authenticates the member and emits fills', async () => {
    const fills: unknown[] = [];
    const gaps = vi.fn();
    const stops = [onFill((event) => fills.push(event.fill.orderSid)), onFillGap(gaps)];
    running = start(signedIn);
    newest().accept();
    await vi.advanceTimersByTimeAsync(0);
    expect(newest().sent).toContainEqual({ type: 'AUTH', token: 'sise-token' });
    newest().say({ destination: '/member/fills', seq: 1, payload: [{ order_sid: 5, fill_qty: 1 }] });
    newest().say({ destination: '/member/fills', type: 'GAP', from: 1, to: 5 });
    expect(fills).toEqual([5]);
    expect(gaps).toHaveBeenCalledTimes(1);
    stops.forEach((stop) => stop());
  });

  it('emits a repeated fill once, and requests the missed ones', async () => {
    const fills: unknown[] = [];
    const stop = onFill((event) => fills.push(event.raw.seq));
    running = start(signedIn);
    newest().accept();
    await vi.advanceTimersByTimeAsync(0);
    const frame = (seq: number) => ({ destination: '/member/fills', seq: 1, payload: [{ seq, order: { orderSid: 1 }, fill: {} }] });
    newest().say(frame(7));
    newest().say(frame(7));
    newest().die();
    await vi.advanceTimersByTimeAsync(5_000);
    newest().accept();
    await vi.advanceTimersByTimeAsync(0);
    expect(newest().sent).toContainEqual({ type: 'AUTH', token: 'sise-token', lastFillSeq: 7 });
    newest().say(frame(8));
    expect(fills).toEqual([7, 8]);
    expect(remembered).toEqual([
      [1, 7],
      [1, 8],
    ]);
    stop();
  });

  it('requests fills missed while the page was closed with its first connection', async () => {
    known.set(1, 7);
    running = start(signedIn);
    newest().accept();
    await vi.advanceTimersByTimeAsync(0);
    expect(newest().sent).toContainEqual({ type: 'AUTH', token: 'sise-token', lastFillSeq: 7 });
  });

  it('replaces a rejected token with backoff, and reports when fills are live', async () => {
    const asked: boolean[] = [];
    running = start((isFresh) => {
      asked.push(isFresh);
      return signedIn();
    });
    newest().accept();
    await vi.advanceTimersByTimeAsync(0);
    expect(connectionState().fills).toBe('waiting');
    newest().say({ type: 'AUTH_OK' });
    expect(connectionState().fills).toBe('live');
    for (const longestMs of [1_000, 2_000, 4_000]) {
      newest().say({ type: 'AUTH_ERROR', code: 1203, reason: 'Authentication is expired' });
      expect(connectionState().fills).toBe('waiting');
      const before = auths(newest()).length;
      await vi.advanceTimersByTimeAsync(longestMs / 2 - 1);
      expect(auths(newest())).toHaveLength(before);
      await vi.advanceTimersByTimeAsync(longestMs / 2 + 1);
      expect(auths(newest())).toHaveLength(before + 1);
    }
    expect(asked).toEqual([false, true, true, true]);
    newest().say({ type: 'AUTH_ERROR', code: 9007, reason: 'UNAVAILABLE' });
    await vi.advanceTimersByTimeAsync(8_000);
    expect(asked.at(-1)).toBe(false);
    newest().say({ type: 'AUTH_OK' });
    expect(connectionState().fills).toBe('live');
  });

  it('retries an unavailable token, and refetches what may have been missed', async () => {
    const gaps = vi.fn();
    const stop = onFillGap(gaps);
    let isAway = true;
    running = start(() => (isAway ? Promise.reject(new Error('away')) : signedIn()));
    newest().accept();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(auths(newest())).toEqual([]);
    expect(connectionState()).toMatchObject({ status: 'live', fills: 'waiting' });
    isAway = false;
    newest().say({ type: 'pong', open: {} });
    await vi.advanceTimersByTimeAsync(20_000);
    newest().say({ type: 'AUTH_OK' });
    expect(auths(newest())).toHaveLength(1);
    expect(gaps).toHaveBeenCalledTimes(1);
    stop();
  });

  it.each([
    ['what was read before it, once', 7, (lostAtMs: number) => lostAtMs],
    ['everything, where no number is known to ask after,', null, () => Infinity],
  ])('after an interruption refetches %s when fills arrive again', async (_, seq, expected) => {
    if (seq !== null) known.set(1, seq);
    const gaps = vi.fn();
    const stop = onFillGap(gaps);
    running = start(signedIn);
    newest().accept();
    await vi.advanceTimersByTimeAsync(0);
    newest().say({ type: 'AUTH_OK' });
    await vi.advanceTimersByTimeAsync(2_000);
    expect(gaps).not.toHaveBeenCalled();
    const lostAtMs = Date.now();
    newest().die();
    await vi.advanceTimersByTimeAsync(5_000);
    newest().accept();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(gaps).not.toHaveBeenCalled();
    newest().say({ type: 'AUTH_OK' });
    await vi.advanceTimersByTimeAsync(2_000);
    expect(gaps.mock.calls).toEqual([[expected(lostAtMs)]]);
    stop();
  });

  it('after an interruption refetches lost fills once', async () => {
    known.set(1, 7);
    const gaps = vi.fn();
    const stop = onFillGap(gaps);
    running = start(signedIn);
    newest().accept();
    await vi.advanceTimersByTimeAsync(0);
    newest().say({ type: 'AUTH_OK' });
    newest().die();
    await vi.advanceTimersByTimeAsync(5_000);
    newest().accept();
    await vi.advanceTimersByTimeAsync(0);
    newest().say({ type: 'AUTH_OK' });
    newest().say({ type: 'GAP', destination: '/member/fills', from: 8, to: 900 });
    await vi.advanceTimersByTimeAsync(2_000);
    expect(gaps.mock.calls).toEqual([[Infinity]]);
    stop();
  });

  it('after an interruption refetches the account even while authentication is unavailable', async () => {
    known.set(1, 7);
    const gaps = vi.fn();
    const stop = onFillGap(gaps);
    let isAway = false;
    running = start(() => (isAway ? Promise.reject(new Error('away')) : signedIn()));
    newest().accept();
    await vi.advanceTimersByTimeAsync(0);
    newest().say({ type: 'AUTH_OK' });
    isAway = true;
    newest().die();
    await vi.advanceTimersByTimeAsync(5_000);
    newest().accept();
    await vi.advanceTimersByTimeAsync(10_000);
    newest().say({ type: 'pong', open: {} });
    expect(gaps).toHaveBeenCalledTimes(1);
    stop();
  });

  it('separates members: another connection, token and sequence', async () => {
    const fills: unknown[] = [];
    const stop = onFill((event) => fills.push(event.raw.seq));
    known.set(2, 3);
    let member = 1;
    running = start(() => Promise.resolve({ memberSid: member, token: `token-${member}` }));
    newest().accept();
    await vi.advanceTimersByTimeAsync(0);
    const frame = (seq: number) => ({ destination: '/member/fills', seq: 1, payload: [{ seq, order: { orderSid: 1 }, fill: {} }] });
    newest().say(frame(900));
    const first = newest();
    member = 2;
    running.changeMember();
    expect(first.readyState).toBe(WebSocket.CLOSED);
    first.say(frame(901));
    newest().accept();
    await vi.advanceTimersByTimeAsync(0);
    expect(auths(newest())).toEqual([{ type: 'AUTH', token: 'token-2', lastFillSeq: 3 }]);
    newest().say(frame(4));
    expect(fills).toEqual([900, 4]);
    expect(remembered).toEqual([
      [1, 900],
      [2, 4],
    ]);
    stop();
  });

  it('drops a token of the previous member', async () => {
    const grants: ((token: SiseToken | null) => void)[] = [];
    running = start(() => new Promise((resolve) => grants.push(resolve)));
    newest().accept();
    running.changeMember();
    grants[0]?.(granted);
    await vi.advanceTimersByTimeAsync(0);
    expect(auths(newest())).toEqual([]);
    grants[1]?.({ memberSid: 2, token: 'token-2' });
    await vi.advanceTimersByTimeAsync(0);
    expect(auths(newest())).toEqual([{ type: 'AUTH', token: 'token-2' }]);
  });

  it('continues at the server\'s sequence when its own was never used', async () => {
    known.set(1, 900);
    const fills: unknown[] = [];
    const stop = onFill((event) => fills.push(event.raw.seq));
    running = start(signedIn);
    newest().accept();
    await vi.advanceTimersByTimeAsync(0);
    newest().say({ type: 'GAP', destination: '/member/fills', from: 11, to: 900 });
    newest().say({ destination: '/member/fills', seq: 1, payload: [{ seq: 11, order: { orderSid: 1 }, fill: {} }] });
    expect(fills).toEqual([11]);
    expect(remembered).toEqual([
      [1, 10],
      [1, 11],
    ]);
    stop();
  });

  it('detects a stale feed, and keeps it over a reconnection until a pong', () => {
    running = start();
    newest().accept();
    newest().say({ type: 'STALE', stale: true });
    expect(connectionState().isFeedStale).toBe(true);
    newest().say({ type: 'STALE', stale: false });
    expect(connectionState().isFeedStale).toBe(false);
    newest().say({ type: 'pong', open: {}, stale: true });
    expect(connectionState().isFeedStale).toBe(true);
    running.reconnect();
    newest().accept();
    expect(connectionState().isFeedStale).toBe(true);
    newest().say({ type: 'pong', open: {}, stale: false });
    expect(connectionState().isFeedStale).toBe(false);
  });

  it('sends at most five messages a second', async () => {
    watched.set('/stock/realData', new Set(Array.from({ length: 250 }, (_, index) => `S${index}`)));
    watched.set('/coin/realData', new Set(Array.from({ length: 100 }, (_, index) => `C${index}`)));
    running = start();
    newest().accept();
    await vi.advanceTimersByTimeAsync(200);
    expect(newest().sent.filter(({ type }) => type === 'SUBSCRIBE')).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(2_000);
    const frames = newest().sent.filter(({ type }) => type === 'SUBSCRIBE');
    expect(frames.map(({ codes }) => (codes as string[]).length)).toEqual([100, 100, 50, 50]);
  });
});
