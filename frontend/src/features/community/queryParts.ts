import { queryKeys } from '@/shared/api/queryKeys';

/** Lists are loaded again when they are older than this. */
export const LIST_STALE_TIME_MS = 60_000;

/** Every reply knows the viewer's likes, blocks and own rows, so all of them are cached by viewer. */
export const own = (memberSid: number | null) => [...queryKeys.community, memberSid] as const;

export const byCursor = {
  initialPageParam: null as string | null,
  getNextPageParam: (last: { cursor?: string | null }) => last.cursor ?? null,
};

/** Rows of all pages, each once: a row can move between the loads of two pages. */
export function rowsOf<Row extends { sid: number }>(pages: readonly (readonly Row[])[] | undefined): Row[] {
  return [...new Map((pages ?? []).flat().map((row) => [row.sid, row])).values()];
}
