import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '@/shared/api/client';
import { queryKeys } from '@/shared/api/queryKeys';
import type { Member } from '@/shared/api/types';

/** Who is signed in: nickname, address, flags. */
export function memberQuery(memberSid: number) {
  return queryOptions({
    queryKey: queryKeys.member(memberSid),
    queryFn: ({ signal }) => unwrap(api.GET('/api/v1/member/{id}', { params: { path: { id: memberSid } }, signal })),
  });
}

/** What may change about a member; what is left out stays. */
export interface ProfileChange {
  nickname?: string;
  birthYear?: number;
  /** null takes it back. */
  gender?: 'M' | 'F' | null;
}

/** Changes the profile and answers the member as they now are. */
export function changeProfile(memberSid: number, change: ProfileChange): Promise<Member> {
  return unwrap(api.PUT('/api/v1/member/info', { body: { memberSid, ...change } }));
}

/** Has a code of six digits mailed to the member's address, once a minute at most. */
export async function sendEmailCode(memberSid: number): Promise<void> {
  await unwrap(api.POST('/api/v1/auth/email/code', { body: { memberSid } }));
}

/** Proves the address by the mailed code. */
export function verifyEmail(memberSid: number, code: string): Promise<Member> {
  return unwrap(api.POST('/api/v1/auth/email/verify', { body: { memberSid, code } }));
}
