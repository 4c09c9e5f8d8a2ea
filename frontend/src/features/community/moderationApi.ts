import { api, unwrap } from '@/shared/api/client';
import type { Relation, ReportBody } from './types';

export function deletePost(sid: number): Promise<unknown> {
  return unwrap(api.DELETE('/api/v1/community/delete-post', { params: { query: { sid } }, body: {} }));
}

export function putBlock(memberSid: number, userSid: number, on: boolean): Promise<Relation> {
  return unwrap(api.PUT('/api/v1/community/block', { body: { memberSid, userSid, on } }));
}

export function sendReport(body: ReportBody): Promise<unknown> {
  return unwrap(api.POST('/api/v1/community/report', { body }));
}
