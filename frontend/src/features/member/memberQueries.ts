import { api, unwrap } from '@/shared/api/client';
import type { Member } from '@/shared/api/types';

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
