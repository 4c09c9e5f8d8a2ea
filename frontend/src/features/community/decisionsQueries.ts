import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { fetchHiding, fetchOwnReports, fetchStanding } from './decisionsApi';
import { byCursor, own } from './queryParts';
import type { TextName } from './types';

/** Why a text of the member is hidden. */
export function hidingQuery(memberSid: number, text: TextName) {
  return queryOptions({
    queryKey: [...own(memberSid), 'hiding', text.kind, text.sid],
    queryFn: ({ signal }) => fetchHiding(memberSid, text, signal),
    staleTime: 0,
  });
}

/** Whether the member may write. */
export function standingQuery(memberSid: number) {
  return queryOptions({
    queryKey: [...own(memberSid), 'standing'],
    queryFn: ({ signal }) => fetchStanding(memberSid, signal),
    staleTime: 0,
  });
}

export function ownReportsQuery(memberSid: number) {
  return infiniteQueryOptions({
    queryKey: [...own(memberSid), 'reports'],
    queryFn: ({ pageParam, signal }) => fetchOwnReports(memberSid, pageParam, signal),
    ...byCursor,
    staleTime: 0,
  });
}
