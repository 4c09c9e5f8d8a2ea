import type { Seasons } from '@/shared/api/types';

/** The first season: nothing has ended, and a reset is possible at once. */
export const firstSeason: Seasons = { season: 1, past: [], nextAt: null, tickets: 0, deposit: 5_000_000 };

/** After a reset a moment ago. */
export const secondSeason: Seasons = {
  season: 2,
  past: [
    {
      season: 1,
      startedAt: '2026-11-01T09:00:00+09:00',
      endedAt: '2026-11-20T10:00:00+09:00',
      total: 5_250_000,
      base: 5_000_000,
      profitRt: 5,
    },
  ],
  nextAt: '2026-11-27T10:00:00+09:00',
  tickets: 0,
  deposit: 5_000_000,
};
