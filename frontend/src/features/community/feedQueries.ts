import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { byCursor, LIST_STALE_TIME_MS, own } from './queryParts';
import { fetchFeed, fetchTop, fetchNewCount } from './feedApi';
import type { Category, FeedType } from './types';

const PAGE_SIZE = 20;
const NEW_POSTS_MS = 60_000;

export interface Feed {
  category: Category;
  type: FeedType;
  /** The instrument of an ITEM feed. */
  code: string | null;
}

export function feedQuery(memberSid: number | null, { category, type, code }: Feed) {
  return infiniteQueryOptions({
    queryKey: [...own(memberSid), 'feed', category, type, code],
    queryFn: ({ pageParam, signal }) => fetchFeed({ memberSid, category, type, code, size: PAGE_SIZE, cursor: pageParam }, signal),
    ...byCursor,
    staleTime: LIST_STALE_TIME_MS,
  });
}

export function topQuery(memberSid: number | null, category: Category) {
  return queryOptions({
    queryKey: [...own(memberSid), 'top', category],
    queryFn: ({ signal }) => fetchTop(memberSid, category, signal),
    staleTime: LIST_STALE_TIME_MS,
  });
}

/** How many posts are newer than the newest one shown. */
export function newCountQuery(memberSid: number | null, category: Category, after: number) {
  return queryOptions({
    queryKey: [...own(memberSid), 'preview', 'new-count', category, after],
    queryFn: ({ signal }) => fetchNewCount(memberSid, category, after, signal),
    // Nothing is newer than what has just been loaded.
    initialData: { count: 0 },
    staleTime: NEW_POSTS_MS,
    refetchInterval: NEW_POSTS_MS,
  });
}
