import { api, unwrap } from '@/shared/api/client';
import type { Relation, ReportBody } from './types';

export function deletePost(sid: number): Promise<unknown> {
  return unwrap(api.DELETE('/api/v1/community/delete-post', { params: { query: { sid } }, body: {} }));
}

/** Survives the page: an undo can end because the member leaves. */
export function putBlock(memberSid: number, userSid: number, on: boolean): Promise<Relation> {
  return unwrap(api.PUT('/api/v1/community/block', { body: { memberSid, userSid, on }, keepalive: true }));
}

export function sendReport(body: ReportBody): Promise<unknown> {
  return unwrap(api.POST('/api/v1/community/report', { body }));
}
