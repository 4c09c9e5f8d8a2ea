import { connectionState, setConnection } from '@/shared/realtime/connection';
import { emitFill, emitFillGap } from '@/shared/realtime/fills';
import { fillFromWire } from './fillFromWire';
import type { FillCursorStore } from './fillCursors';
import type { SiseToken } from './siseToken';

/** Exponential backoff of authentication, with jitter because an outage ends for all clients at once. */
const FIRST_RETRY_MS = 1_000;
const MAX_RETRY_MS = 60_000;
/** After a server restart all clients reconnect at once; this spreads their refetches. */
const JITTER_MS = 1_000;

interface MemberChannelOptions {
  /** The token of the member's channel, a new one if `isFresh`; null without a member. Rejects when no token is available now. */
  authToken: (isFresh: boolean) => Promise<SiseToken | null>;
  /** Persists the fill cursor, so that the first connection also requests fills made while the page was closed. */
  fillCursors?: FillCursorStore | undefined;
  send: (message: object) => void;
}

interface MemberChannel {
  /** Authenticates; a later call supersedes an earlier one. */
  authenticate: (isFresh: boolean) => void;
  accept: () => void;
  reject: (isTokenOver: boolean) => void;
  receiveFill: (wire: Record<string, unknown>) => void;
  receiveGap: (from: number | null) => void;
  /** The connection is lost; the next one authenticates again. */
  interrupt: () => void;
  /** The member has changed. Returns whether the connection was authenticated for the previous one. */
  forget: () => boolean;
}

/** The member's part of a connection: authentication, and each fill once. */
export function createMemberChannel({ authToken, fillCursors, send }: MemberChannelOptions): MemberChannel {
  /** The member whose token was sent last, and the last fill sequence received. */
  let member: number | null = null;
  let lastFillSeq: number | null = null;
  let attempt = 0;
  let retries = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Since when fills may be missing; null while they arrive. */
  let lostAtMs: number | null = null;
  let isAccepted = false;
  let gapTimer: ReturnType<typeof setTimeout> | undefined;

  function authenticate(isFresh: boolean): void {
    cancel();
    const ownAttempt = attempt;
    authToken(isFresh).then(
      (granted) => {
        if (attempt !== ownAttempt) return;
        if (granted === null) setConnection({ fills: 'none' });
        else sendAuth(granted);
      },
      () => {
        if (attempt === ownAttempt) scheduleRetry(isFresh);
      },
    );
  }

  function sendAuth({ memberSid, token }: SiseToken): void {
    if (member !== memberSid) lastFillSeq = null;
    member = memberSid;
    lastFillSeq ??= fillCursors?.read(memberSid) ?? null;
    if (connectionState().fills === 'none') setConnection({ fills: 'waiting' });
    send({ type: 'AUTH', token, ...(lastFillSeq === null ? {} : { lastFillSeq }) });
  }

  function scheduleRetry(isFresh: boolean): void {
    setConnection({ fills: 'waiting' });
    // Nobody knows when fills will arrive again.
    refetchMissed();
    const maxDelayMs = Math.min(FIRST_RETRY_MS * 2 ** retries, MAX_RETRY_MS);
    retries += 1;
    cancel();
    timer = setTimeout(() => authenticate(isFresh), (maxDelayMs * (1 + Math.random())) / 2);
  }

  /** Cancels pending attempts. */
  function cancel(): void {
    attempt += 1;
    clearTimeout(timer);
  }

  /** After an interruption: refetches only data from before it. */
  function refetchMissed(): void {
    if (lostAtMs === null) return;
    const beforeMs = lostAtMs;
    lostAtMs = null;
    gapTimer = setTimeout(() => emitFillGap(beforeMs), Math.random() * JITTER_MS);
  }

  /** Anything fetched or being fetched may lack a fill. */
  function refetchAll(): void {
    lostAtMs = null;
    clearTimeout(gapTimer);
    emitFillGap();
  }

  function recordSeq(seq: number): void {
    lastFillSeq = seq;
    if (member !== null) fillCursors?.write(member, seq);
  }

  return {
    authenticate,
    accept() {
      // Without a cursor the missed fills cannot be requested, so the account is refetched.
      if ((retries > 0 || lostAtMs !== null) && lastFillSeq === null) refetchAll();
      else refetchMissed();
      isAccepted = true;
      retries = 0;
      setConnection({ fills: 'live' });
    },
    reject: scheduleRetry,
    receiveFill(wire) {
      const event = fillFromWire(wire);
      const { seq } = event.raw;
      if (typeof seq === 'number') {
        // Fills repeated after a reconnection are emitted once.
        if (lastFillSeq !== null && seq <= lastFillSeq) return;
        recordSeq(seq);
      }
      emitFill(event);
    },
    receiveGap(from) {
      // A sequence that was never used, or that a restored server will reuse, is no longer valid.
      if (from !== null && lastFillSeq !== null && from <= lastFillSeq) recordSeq(from - 1);
      refetchAll();
    },
    interrupt() {
      cancel();
      if (isAccepted) lostAtMs = Date.now();
      isAccepted = false;
      if (connectionState().fills === 'live') setConnection({ fills: 'waiting' });
    },
    forget() {
      cancel();
      const hadMember = member !== null;
      member = null;
      lastFillSeq = null;
      lostAtMs = null;
      isAccepted = false;
      clearTimeout(gapTimer);
      retries = 0;
      setConnection({ fills: 'none' });
      return hadMember;
    },
  };
}
