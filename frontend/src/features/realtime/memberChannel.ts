import { connectionState, setConnection } from '@/shared/realtime/connection';
import { emitFill, emitFillGap } from '@/shared/realtime/fills';
import { fillFromWire } from './fillFromWire';
import type { FillMemory } from './fillMemory';
import type { SiseToken } from './siseToken';

/** Between tries to say who is signed in, doubling; jittered, because an outage ends for every phone at once. */
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 60_000;
/** A server that starts anew has all its phones back in the same moment; not all of them read their accounts in it. */
const SPREAD_MS = 1_000;

interface MemberChannelOptions {
  /** The token for the member's own channel, a new one if asked; null for nobody. Rejects when there is none to be had now. */
  authToken: (isFresh: boolean) => Promise<SiseToken | null>;
  /** What outlives the page: fills made while it was closed are asked for by the first connection too. */
  fillMemory?: FillMemory | undefined;
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
export function createMemberChannel({ authToken, fillMemory, send }: MemberChannelOptions): MemberChannel {
  /** Whose token was sent last, and the newest fill they were told of. */
  let member: number | null = null;
  let lastFillSeq: number | null = null;
  let attempt = 0;
  let retries = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Since when nobody has been able to say what happened to the account; null while fills arrive. */
  let lostAtMs: number | null = null;
  let isAccepted = false;
  let readTimer: ReturnType<typeof setTimeout> | undefined;

  function authenticate(isFresh: boolean): void {
    callOff();
    const mine = attempt;
    authToken(isFresh).then(
      (granted) => {
        if (attempt !== mine) return;
        if (granted === null) setConnection({ fills: 'none' });
        else introduce(granted);
      },
      () => {
        if (attempt === mine) authenticateLater(isFresh);
      },
    );
  }

  function introduce({ memberSid, token }: SiseToken): void {
    if (member !== memberSid) lastFillSeq = null;
    member = memberSid;
    lastFillSeq ??= fillMemory?.read(memberSid) ?? null;
    if (connectionState().fills === 'none') setConnection({ fills: 'waiting' });
    send({ type: 'AUTH', token, ...(lastFillSeq === null ? {} : { lastFillSeq }) });
  }

  function authenticateLater(isFresh: boolean): void {
    setConnection({ fills: 'waiting' });
    // Nobody knows when fills will arrive again.
    readAnewOnce();
    const longestMs = Math.min(FIRST_RETRY_MS * 2 ** retries, LONGEST_RETRY_MS);
    retries += 1;
    callOff();
    timer = setTimeout(() => authenticate(isFresh), (longestMs * (1 + Math.random())) / 2);
  }

  /** No try that is under way counts any more. */
  function callOff(): void {
    attempt += 1;
    clearTimeout(timer);
  }

  /** After an interruption: what was read since may serve, and is not read twice. */
  function readAnewOnce(): void {
    if (lostAtMs === null) return;
    const beforeMs = lostAtMs;
    lostAtMs = null;
    readTimer = setTimeout(() => emitFillGap(beforeMs), Math.random() * SPREAD_MS);
  }

  /** Whatever was read or is being read may lack a fill. */
  function readAllAnew(): void {
    lostAtMs = null;
    clearTimeout(readTimer);
    emitFillGap();
  }

  function note(seq: number): void {
    lastFillSeq = seq;
    if (member !== null) fillMemory?.write(member, seq);
  }

  return {
    authenticate,
    accept() {
      // Without a number to ask after, what came in the meantime is read anew.
      if ((retries > 0 || lostAtMs !== null) && lastFillSeq === null) readAllAnew();
      else readAnewOnce();
      isAccepted = true;
      retries = 0;
      setConnection({ fills: 'live' });
    },
    refuse: authenticateLater,
    takeFill(wire) {
      const event = fillFromWire(wire);
      const { seq } = event.raw;
      if (typeof seq === 'number') {
        // Fills the server repeats after a reconnection are told once.
        if (lastFillSeq !== null && seq <= lastFillSeq) return;
        note(seq);
      }
      emitFill(event);
    },
    takeGap(from) {
      // A number that was never given out, or that a restored server gives out anew, counts no longer.
      if (from !== null && lastFillSeq !== null && from <= lastFillSeq) note(from - 1);
      readAllAnew();
    },
    interrupt() {
      callOff();
      if (isAccepted) lostAtMs = Date.now();
      isAccepted = false;
      if (connectionState().fills === 'live') setConnection({ fills: 'waiting' });
    },
    forget() {
      callOff();
      const knewSomebody = member !== null;
      member = null;
      lastFillSeq = null;
      lostAtMs = null;
      isAccepted = false;
      clearTimeout(readTimer);
      retries = 0;
      setConnection({ fills: 'none' });
      return knewSomebody;
    },
  };
}
