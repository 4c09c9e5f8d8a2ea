import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '@/shared/api/client';
import { moneyQuery } from '@/shared/api/queryClient';
import { queryKeys } from '@/shared/api/queryKeys';
import type { ResetBody, ResetReply } from '@/shared/api/types';

/** The member's seasons, and when the next reset is possible. */
export function seasonsQuery(memberSid: number) {
  return queryOptions({
    queryKey: [...queryKeys.account(memberSid), 'seasons'],
    queryFn: ({ signal }) => unwrap(api.GET('/api/v1/invest/season/member/{sid}', { params: { path: { sid: memberSid } }, signal })),
    ...moneyQuery,
  });
}

/** Ends the present season. Repeating a `reqSid` with the same body returns the first reply. */
export function postReset(body: ResetBody & { memberSid: number }): Promise<ResetReply> {
  return unwrap(api.POST('/api/v1/invest/reset/member/{id}', { params: { path: { id: body.memberSid } }, body }));
}
