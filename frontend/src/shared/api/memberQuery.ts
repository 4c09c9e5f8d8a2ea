import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, unwrap } from './client';
import { queryKeys } from './queryKeys';
import { useMemberSid } from './session';

export function memberQuery(memberSid: number) {
  return queryOptions({
    queryKey: queryKeys.member(memberSid),
    queryFn: ({ signal }) => unwrap(api.GET('/api/v1/member/{id}', { params: { path: { id: memberSid } }, signal })),
  });
}

/** Whether the member is in competition mode, where only stocks and ETFs are offered; false while it is not known. */
export function useCompetes(): boolean {
  const memberSid = useMemberSid();
  const { data } = useQuery({ ...memberQuery(memberSid ?? 0), enabled: memberSid !== null });
  return data?.competitionMode === true;
}
