import { api, unwrap } from '@/shared/api/client';
import { given } from './requestParts';
import type { AppealBody, Hiding, OwnReportPage, Standing, TextName } from './types';

export function fetchHiding(memberSid: number, { kind, sid }: TextName, signal: AbortSignal): Promise<Hiding> {
  return unwrap(api.GET('/api/v1/community/hiding', { params: { query: { memberSid, kind, sid } }, signal }));
}

export function sendAppeal(body: AppealBody): Promise<unknown> {
  return unwrap(api.POST('/api/v1/community/appeal', { body }));
}

export function fetchStanding(memberSid: number, signal: AbortSignal): Promise<Standing> {
  return unwrap(api.GET('/api/v1/community/standing/{sid}', { params: { path: { sid: memberSid } }, signal }));
}

export function fetchOwnReports(memberSid: number, cursor: string | null, signal: AbortSignal): Promise<OwnReportPage> {
  return unwrap(api.GET('/api/v1/community/report/{sid}', { params: { path: { sid: memberSid }, query: given({ cursor }) }, signal }));
}

export function putMute(memberSid: number, sid: number, on: boolean): Promise<{ isMuted: boolean }> {
  return unwrap(api.PUT('/api/v1/community/mute', { body: { memberSid, sid, on } }));
}
