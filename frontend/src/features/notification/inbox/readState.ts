import type { InfiniteData } from '@tanstack/react-query';
import type { Notification, NotificationPage } from '@/features/notification/notificationTypes';

export type InboxPages = InfiniteData<NotificationPage, unknown>;

/** Rows of all pages, each once: one can move between the loads of two pages. */
export function rowsOf(pages: InboxPages): Notification[] {
  return [...new Map(pages.pages.flatMap(({ list }) => list).map((row) => [row.sid, row])).values()];
}

/** The ids among `which` that are unread in these pages. */
export function unreadAmong(pages: InboxPages | undefined, which: readonly number[] | 'all'): number[] {
  if (!pages) return [];
  return rowsOf(pages)
    .filter(({ sid, isRead }) => !isRead && (which === 'all' || which.includes(sid)))
    .map(({ sid }) => sid);
}

export function withRead(pages: InboxPages | undefined, sids: ReadonlySet<number>, isRead: boolean): InboxPages | undefined {
  return (
    pages && {
      ...pages,
      pages: pages.pages.map((page) => ({ ...page, list: page.list.map((row) => (sids.has(row.sid) ? { ...row, isRead } : row)) })),
    }
  );
}
