import { connectionState, setConnection } from '@/shared/realtime/connection';
import { emitFill, emitFillGap } from '@/shared/realtime/fills';
import { fillFromWire } from './fillFromWire';
import type { FillCursorStore } from './fillCursors';
import type { SiseToken } from './siseToken';

/** Between tries to say who is signed in, doubling; jittered, because an outage ends for every phone at once. */
const FIRST_RETRY_MS = 1_000;
const MAX_RETRY_MS = 60_000;
/** A server that starts anew has all its phones back in the same moment; not all of them read their accounts in it. */
const JITTER_MS = 1_000;

interface MemberChannelOptions {
  /** The token for the member's own channel, a new one if asked; null for nobody. Rejects when there is none to be had now. */
  authToken: (isFresh: boolean) => Promise<SiseToken | null>;
  /** What outlives the page: fills made while it was closed are asked for by the first connection too. */
  fillCursors?: FillCursorStore | undefined;
  send: (message: object) => void;
}

export interface MemberChannel {
  /** Says who is signed in; of two tries only the later one counts. */
  authenticate: (isFresh: boolean) => void;
  accept: () => void;
  refuse: (isTokenOver: boolean) => void;
  takeFill: (wire: Record<string, unknown>) => void;
  takeGap: (from: number | null) => void;
  /** The connection is gone; the next one says anew who is signed in. */
  interrupt: () => void;
  /** Somebody else is signed in, or nobody. Returns whether the connection knows the member before. */
  forget: () => boolean;
}

/** The member's part of a connection: who its fills belong to, and which of them have been told. */
export function createMemberChannel({ authToken, fillCursors, send }: MemberChannelOptions): MemberChannel {
  /** Whose token was sent last, and the newest fill they were told of. */
  let member: number | null = null;
  let lastFillSeq: number | null = null;
  let attempt = 0;
  let retries = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Since when nobody has been able to say what happened to the account; null while fills arrive. */
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

  /** No try that is under way counts any more. */
  function cancel(): void {
    attempt += 1;
    clearTimeout(timer);
  }

  /** After an interruption: what was read since may serve, and is not read twice. */
  function refetchMissed(): void {
    if (lostAtMs === null) return;
    const beforeMs = lostAtMs;
    lostAtMs = null;
    gapTimer = setTimeout(() => emitFillGap(beforeMs), Math.random() * JITTER_MS);
  }

  /** Whatever was read or is being read may lack a fill. */
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
      // Without a number to ask after, what came in the meantime is read anew.
      if ((retries > 0 || lostAtMs !== null) && lastFillSeq === null) refetchAll();
      else refetchMissed();
      isAccepted = true;
      retries = 0;
      setConnection({ fills: 'live' });
    },
    refuse: scheduleRetry,
    takeFill(wire) {
      const event = fillFromWire(wire);
      const { seq } = event.raw;
      if (typeof seq === 'number') {
        // Fills the server repeats after a reconnection are told once.
        if (lastFillSeq !== null && seq <= lastFillSeq) return;
        recordSeq(seq);
      }
      emitFill(event);
    },
    takeGap(from) {
      // A number that was never given out, or that a restored server gives out anew, counts no longer.
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
