import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { queryKeys } from '@/shared/api/queryKeys';
import { fetchActions, fetchAnswers, fetchBlocked, fetchComment, fetchComments, fetchFeed, fetchMemberInfo, fetchNewCount, fetchPost, fetchTop } from './communityApi';
import type { ActionType, Category, FeedType } from './types';

const PAGE_SIZE = 20;
const LIST_STALE_TIME_MS = 60_000;
const NEW_POSTS_MS = 60_000;

export interface Feed {
  category: Category;
  type: FeedType;
  /** The instrument of an ITEM feed. */
  code: string | null;
}

/** Every reply knows the viewer's likes, blocks and own rows, so all of them are cached by viewer. */
export const own = (memberSid: number | null) => [...queryKeys.community, memberSid] as const;

const byCursor = {
  initialPageParam: null as string | null,
  getNextPageParam: (last: { cursor?: string | null }) => last.cursor ?? null,
};

export function feedQuery(memberSid: number | null, { category, type, code }: Feed) {
  return infiniteQueryOptions({
    queryKey: [...own(memberSid), 'feed', category, type, code],
    queryFn: ({ pageParam, signal }) => fetchFeed({ memberSid, category, type, code, size: PAGE_SIZE, cursor: pageParam }, signal),
    ...byCursor,
    staleTime: LIST_STALE_TIME_MS,
  });
}

/** The newest posts about an instrument. */
export function itemPostsQuery(memberSid: number | null, code: string, size: number) {
  return queryOptions({
    queryKey: [...own(memberSid), 'item', code, size],
    queryFn: ({ signal }) => fetchFeed({ memberSid, category: 'ALL', type: 'ITEM', code, size, cursor: null }, signal),
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

export function postQuery(memberSid: number | null, sid: number) {
  return queryOptions({
    queryKey: [...own(memberSid), 'post', sid],
    queryFn: ({ signal }) => fetchPost(memberSid, sid, signal),
    staleTime: 0,
  });
}

export function commentsQuery(memberSid: number | null, boardSid: number) {
  return infiniteQueryOptions({
    queryKey: [...own(memberSid), 'comments', boardSid],
    queryFn: ({ pageParam, signal }) => fetchComments(memberSid, boardSid, pageParam, signal),
    ...byCursor,
    staleTime: 0,
  });
}

/** All replies to a comment; its own page has the first three. */
export function answersQuery(memberSid: number | null, commentSid: number) {
  return infiniteQueryOptions({
    queryKey: [...own(memberSid), 'answers', commentSid],
    queryFn: ({ pageParam, signal }) => fetchAnswers(memberSid, commentSid, pageParam, signal),
    ...byCursor,
    staleTime: 0,
  });
}

export function commentQuery(memberSid: number, commentSid: number) {
  return queryOptions({
    queryKey: [...own(memberSid), 'comment', commentSid],
    queryFn: ({ signal }) => fetchComment(memberSid, commentSid, signal),
    staleTime: 0,
  });
}

export function memberInfoQuery(memberSid: number, userSid: number) {
  return queryOptions({
    queryKey: [...own(memberSid), 'person', userSid],
    queryFn: ({ signal }) => fetchMemberInfo(memberSid, userSid, signal),
    staleTime: LIST_STALE_TIME_MS,
  });
}

/** What a member wrote; of oneself also what one liked. */
export function actionsQuery(memberSid: number, userSid: number, type: ActionType) {
  return infiniteQueryOptions({
    queryKey: [...own(memberSid), 'actions', userSid, type],
    queryFn: ({ pageParam, signal }) => fetchActions(memberSid, userSid, type, pageParam, signal),
    ...byCursor,
    staleTime: LIST_STALE_TIME_MS,
  });
}

export function blockedQuery(memberSid: number) {
  return infiniteQueryOptions({
    queryKey: [...own(memberSid), 'blocked'],
    queryFn: ({ pageParam, signal }) => fetchBlocked(memberSid, pageParam, signal),
    ...byCursor,
    staleTime: 0,
  });
}

/** Rows of all pages, each once: a row can move between the loads of two pages. */
export function rowsOf<Row extends { sid: number }>(pages: readonly (readonly Row[])[] | undefined): Row[] {
  return [...new Map((pages ?? []).flat().map((row) => [row.sid, row])).values()];
}
