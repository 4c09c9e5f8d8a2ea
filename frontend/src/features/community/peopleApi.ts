import { api, unwrap } from '@/shared/api/client';
import { given } from './requestParts';
import type { ActionPage, ActionType, BlockedPage, MemberInfo, Relation } from './types';

export function fetchMemberInfo(memberSid: number, userSid: number, signal: AbortSignal): Promise<MemberInfo> {
  return unwrap(api.GET('/api/v1/community/community-member-info', { params: { query: { memberSid, userSid } }, signal }));
}

export function fetchActions(memberSid: number, userSid: number, type: ActionType, cursor: string | null, signal: AbortSignal): Promise<ActionPage> {
  const page = { memberSid, ...given({ cursor }) };
  if (userSid === memberSid || type === 'LIKE') return unwrap(api.GET('/api/v1/community/my-comments-and-likes', { params: { query: { ...page, type } }, signal }));
  return unwrap(api.GET('/api/v1/community/community-member-action', { params: { query: { ...page, type, userSid } }, signal }));
}

export function putFollow(memberSid: number, userSid: number, on: boolean): Promise<Relation> {
  return unwrap(api.PUT('/api/v1/community/follow', { body: { memberSid, userSid, on } }));
}

export function fetchBlocked(memberSid: number, cursor: string | null, signal: AbortSignal): Promise<BlockedPage> {
  return unwrap(api.GET('/api/v1/community/block/{sid}', { params: { path: { sid: memberSid }, query: given({ cursor }) }, signal }));
}
