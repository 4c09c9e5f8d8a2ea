import { useInfiniteQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { inboxCopy } from '@/features/notification/copy.inbox';
import { inboxQuery } from '@/features/notification/notificationQueries';
import type { Notification, NotificationType } from '@/features/notification/notificationTypes';
import { InfiniteFooter } from '@/shared/ui/InfiniteFooter';
import { RowsSkeleton } from '@/shared/ui/Skeleton';
import { EmptyState, ErrorState } from '@/shared/ui/States';
import { VirtualList } from '@/shared/ui/VirtualList';
import { groupsOf } from './inboxGroups';
import { InboxRow } from './InboxRow';
import { rowsOf } from './readState';
import styles from './Inbox.module.css';

/** Of a usual row; each is measured when it is drawn. */
const ROW_PX = 92;
const SKELETON_ROWS = 6;

interface InboxListProps {
  memberSid: number;
  type: NotificationType | null;
  onOpen: (notification: Notification) => void;
}

/** The notifications of one type or all, newest first, by when they came. */
export function InboxList({ memberSid, type, onOpen }: InboxListProps) {
  const list = useInfiniteQuery(inboxQuery(memberSid, type));
  const id = useId();
  if (list.isPending && list.fetchStatus !== 'paused') return <RowsSkeleton rows={SKELETON_ROWS} />;
  if (!list.data) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />;
  const notifications = rowsOf(list.data);
  if (notifications.length === 0) return <EmptyState title={inboxCopy.empty} />;
  const now = new Date();
  return (
    <>
      {groupsOf(notifications, now).map(({ group, rows }) => (
        <section key={group} aria-labelledby={`${id}-${group}`}>
          <h2 id={`${id}-${group}`} className={styles.group}>
            {inboxCopy.groups[group]}
          </h2>
          <VirtualList rows={rows} keyOf={({ sid }) => sid} rowHeightPx={ROW_PX}>
            {(notification) => <InboxRow notification={notification} now={now} onOpen={() => onOpen(notification)} />}
          </VirtualList>
        </section>
      ))}
      <InfiniteFooter hasMore={list.hasNextPage} isLoading={list.isFetchingNextPage} onMore={() => void list.fetchNextPage()} />
    </>
  );
}
