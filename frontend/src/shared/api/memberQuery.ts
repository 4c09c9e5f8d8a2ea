import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, unwrap } from './client';
import { queryKeys } from './queryKeys';
import { useMemberSid } from './session';
import type { Member } from './types';

/** The member's own record. While the server does not know the competition mode, the one known last counts. */
export function memberQuery(memberSid: number) {
  const queryKey = queryKeys.member(memberSid);
  return queryOptions({
    queryKey,
    queryFn: async ({ signal, client }) => {
      const member = await unwrap(api.GET('/api/v1/member/{id}', { params: { path: { id: memberSid } }, signal }));
      if (member.competitionMode !== null) return member;
      const known = client.getQueryData<Member>(queryKey);
      return { ...member, competitionMode: known?.competitionMode ?? null };
    },
  });
}

/** Whether the member is in competition mode, where only stocks and ETFs are offered; false while it is not known. */
export function useCompetes(): boolean {
  const memberSid = useMemberSid();
  const { data } = useQuery({ ...memberQuery(memberSid ?? 0), enabled: memberSid !== null });
  return memberSid !== null && data?.competitionMode === true;
}
