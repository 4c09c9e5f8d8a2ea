import type { Board, BoardRow, Competition, Entry } from '@/features/competition/types';

const DAY_MS = 86_400_000;
const NINE_HOURS_MS = 32_400_000;

/** Midnight in Korea, some days from today. */
export function midnight(days: number): string {
  const today = Math.floor((Date.now() + NINE_HOURS_MS) / DAY_MS);
  return `${new Date((today + days) * DAY_MS).toISOString().slice(0, 10)}T00:00:00+09:00`;
}

export const EVENT_SID = 7;

export const entry: Entry = {
  acno: '990000000100',
  accountSid: 701,
  joinedAt: midnight(-2),
  rankedFrom: midnight(-1),
  hasLeft: false,
  equity: 10_250_000,
  returnRt: 2.5,
  activity: { buys: 1, items: 1, days: 1 },
  needed: { buys: 3, items: 2, days: 2 },
};

/** An official event that has run for two days and runs for twelve more after today. */
export const ongoing: Competition = {
  sid: EVENT_SID,
  kind: 'OFFICIAL',
  title: 'Spring Cup',
  prize: 'Gold frame',
  status: 'ONGOING',
  startsAt: midnight(-2),
  endsAt: midnight(13),
  joinFrom: midnight(-9),
  joinUntil: midnight(6),
  startCash: 10_000_000,
  entrants: 1_234,
  mostEntrants: null,
  canJoin: true,
  isHost: false,
  inviteCode: null,
  isJoiningClosed: false,
  showsHoldings: false,
  entry: null,
  prizes: [],
  awardAt: null,
  isAwarded: false,
  awards: [],
  canObject: false,
  objection: null,
};

export const scheduled: Competition = { ...ongoing, sid: 8, title: 'Summer Cup', prize: null, status: 'SCHEDULED', startsAt: midnight(3), endsAt: midnight(33) };

export const ended: Competition = { ...ongoing, sid: 9, title: 'Winter Cup', status: 'ENDED', startsAt: midnight(-20), endsAt: midnight(-5), canJoin: false };

export function row(place: number, nickname: string, returnRt: number, rest: Partial<BoardRow> = {}): BoardRow {
  return { place, rank: place, userSid: place, nickname, returnRt, gained: null, isMine: false, frame: null, plate: null, level: null, ...rest };
}

export const mine = row(5, 'Me', -1.25, { rank: 4, gained: -1, isMine: true });

/** Two share the fourth rank. */
export const board: Board = {
  rows: [
    row(1, 'Ann', 12.5, { plate: 'plate-wood' }),
    row(2, 'Ben', 8),
    row(3, 'Cho', 3),
    row(4, 'Dan', -1.25, { gained: 2 }),
    mine,
    row(6, 'Eve', -3, { gained: 0 }),
  ],
  cursor: null,
  ranked: 6,
  valuedAt: new Date().toISOString(),
  mine,
  isFinal: false,
};

export const emptyBoard: Board = { rows: [], cursor: null, ranked: 0, valuedAt: null, mine: null, isFinal: false };
