import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { byCursor, LIST_STALE_TIME_MS, own } from './queryParts';
import { fetchMemberInfo, fetchActions, fetchBlocked } from './peopleApi';
import type { ActionType } from './types';

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
