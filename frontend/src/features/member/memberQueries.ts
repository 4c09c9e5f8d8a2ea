import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '@/shared/api/client';
import { queryKeys } from '@/shared/api/queryKeys';
import type { Member } from '@/shared/api/types';

export function memberQuery(memberSid: number) {
  return queryOptions({
    queryKey: queryKeys.member(memberSid),
    queryFn: ({ signal }) => unwrap(api.GET('/api/v1/member/{id}', { params: { path: { id: memberSid } }, signal })),
  });
}

/** A profile change; omitted fields stay. */
export interface ProfileChange {
  nickname?: string;
  birthYear?: number;
  /** null removes it. */
  gender?: 'M' | 'F' | null;
}

/** Changes the profile and returns the updated member. */
export function changeProfile(memberSid: number, change: ProfileChange): Promise<Member> {
  return unwrap(api.PUT('/api/v1/member/info', { body: { memberSid, ...change } }));
}

/** Has a six-digit code mailed, once a minute at most. */
export async function sendEmailCode(memberSid: number): Promise<void> {
  await unwrap(api.POST('/api/v1/auth/email/code', { body: { memberSid } }));
}

/** Verifies the address with the mailed code. */
export function verifyEmail(memberSid: number, code: string): Promise<Member> {
  return unwrap(api.POST('/api/v1/auth/email/verify', { body: { memberSid, code } }));
}
