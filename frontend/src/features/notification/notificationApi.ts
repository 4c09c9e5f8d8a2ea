import type { Client } from 'openapi-fetch';
import { api as generated, unwrap } from '@/shared/api/client';
import type { NotificationPage, NotificationSettings, NotificationType, SettingsChange, UnreadCount } from './notificationTypes';

export function fetchNotifications(memberSid: number, type: NotificationType | null, cursor: string | null, signal: AbortSignal): Promise<NotificationPage> {
  const query = { ...(type !== null && { type }), ...(cursor !== null && { cursor }) };
  return unwrap(api.GET('/api/v1/notification/list/{sid}', { params: { path: { sid: memberSid }, query }, signal }));
}

export function fetchUnread(memberSid: number, signal: AbortSignal): Promise<UnreadCount> {
  return unwrap(api.GET('/api/v1/notification/unread/{sid}', { params: { path: { sid: memberSid } }, signal }));
}

/** Marks notifications as read and returns how many are left. */
export function putRead(memberSid: number, which: readonly number[] | 'all'): Promise<{ unread: number }> {
  const body = which === 'all' ? { memberSid, all: true } : { memberSid, sids: [...which] };
  return unwrap(api.PUT('/api/v1/notification/read', { body }));
}

export function fetchSettings(memberSid: number, signal: AbortSignal): Promise<NotificationSettings> {
  return unwrap(api.GET('/api/v1/notification/setting/{sid}', { params: { path: { sid: memberSid } }, signal }));
}

export function putSettings(memberSid: number, change: SettingsChange): Promise<NotificationSettings> {
  return unwrap(api.PUT('/api/v1/notification/setting', { body: { memberSid, ...change } }));
}

interface Json<Body> {
  content: { 'application/json': Body };
}
interface Answer<Body> {
  200: Json<Body> & { headers: Record<string, unknown> };
}
interface OfMember {
  path: { sid: number };
}

// The routes by hand, until the gateway's document has them.
interface Routes {
  '/api/v1/notification/list/{sid}': { get: { parameters: OfMember & { query?: { cursor?: string; type?: NotificationType } }; responses: Answer<NotificationPage> } };
  '/api/v1/notification/unread/{sid}': { get: { parameters: OfMember; responses: Answer<UnreadCount> } };
  '/api/v1/notification/read': { put: { requestBody: Json<{ memberSid: number; sids?: number[]; all?: boolean }>; responses: Answer<{ unread: number }> } };
  '/api/v1/notification/setting/{sid}': { get: { parameters: OfMember; responses: Answer<NotificationSettings> } };
  '/api/v1/notification/setting': { put: { requestBody: Json<SettingsChange & { memberSid: number }>; responses: Answer<NotificationSettings> } };
}
const api = generated as unknown as Client<Routes>;
