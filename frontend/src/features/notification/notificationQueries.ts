import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { queryKeys } from '@/shared/api/queryKeys';
import { fetchNotifications, fetchSettings, fetchUnread } from './notificationApi';
import type { NotificationType } from './notificationTypes';

/** All that a new notification changes. */
export const inboxKey = (memberSid: number) => [...queryKeys.account(memberSid), 'inbox'] as const;
export const listsKey = (memberSid: number) => [...inboxKey(memberSid), 'list'] as const;

/** Newest first; null is every type. */
export function inboxQuery(memberSid: number, type: NotificationType | null) {
  return infiniteQueryOptions({
    queryKey: [...listsKey(memberSid), type],
    queryFn: ({ pageParam, signal }) => fetchNotifications(memberSid, type, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.cursor,
    // Loaded again whenever it is shown or the page gets the focus.
    staleTime: 0,
  });
}

export function unreadQuery(memberSid: number) {
  return queryOptions({
    queryKey: [...inboxKey(memberSid), 'unread'],
    queryFn: ({ signal }) => fetchUnread(memberSid, signal),
    staleTime: 0,
  });
}

export function settingsQuery(memberSid: number) {
  return queryOptions({
    queryKey: [...queryKeys.account(memberSid), 'notification-settings'],
    queryFn: ({ signal }) => fetchSettings(memberSid, signal),
  });
}
