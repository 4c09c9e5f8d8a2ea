import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '@/shared/api/client';
import { moneyQuery } from '@/shared/api/queryClient';
import { queryKeys } from '@/shared/api/queryKeys';
import type { PointMoveBody, PointMoveReply } from '@/shared/api/types';

/** The member's points, what became of them, and what a transfer would be multiplied with. */
export function pointsQuery(memberSid: number) {
  return queryOptions({
    queryKey: [...queryKeys.account(memberSid), 'points'],
    queryFn: ({ signal }) => unwrap(api.GET('/api/v1/member/education-point', { params: { query: { member_sid: memberSid } }, signal })),
    ...moneyQuery,
  });
}

/** Moves points into the basic account. Repeating a `reqSid` with the same body returns the first reply. */
export function movePoints(memberSid: number, body: PointMoveBody): Promise<PointMoveReply> {
  return unwrap(api.POST('/api/v1/account/educationPoint/{id}', { params: { path: { id: memberSid } }, body }));
}

/** Points earned, moved and spent, newest first, twenty per page. */
export function pointHistoryQuery(memberSid: number) {
  return infiniteQueryOptions({
    queryKey: [...queryKeys.account(memberSid), 'point-history'],
    queryFn: ({ pageParam, signal }) =>
      unwrap(
        api.GET('/api/v1/member/education-point/history/{sid}', {
          params: { path: { sid: memberSid }, query: pageParam === null ? {} : { cursor: pageParam } },
          signal,
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.nextCursor ?? null,
    ...moneyQuery,
  });
}
