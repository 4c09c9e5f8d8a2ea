import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '@/shared/api/client';
import { queryKeys } from '@/shared/api/queryKeys';

/** Who is signed in: nickname, address, flags. */
export function memberQuery(memberSid: number) {
  return queryOptions({
    queryKey: queryKeys.member(memberSid),
    queryFn: ({ signal }) => unwrap(api.GET('/api/v1/member/{id}', { params: { path: { id: memberSid } }, signal })),
  });
}
