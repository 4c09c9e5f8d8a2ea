import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { setUnread } from '@/shared/api/unread';
import { onFill } from '@/shared/realtime/fills';
import { onNotice } from '@/shared/realtime/notices';
import { inboxKey, unreadQuery } from '@/features/notification/notificationQueries';
import { createAccountRefetcher } from '@/features/notification/refetchAccount';

/** A fill has a channel of its own; its notification is stored a moment later and not pushed. */
const FILL_STORED_MS = 1_500;

/** Keeps the count of unread notifications up to date, and the inbox while it is shown. Mounted once, below `FillToast`. */
export function UnreadWatcher({ memberSid }: { memberSid: number }) {
  const queryClient = useQueryClient();
  const { data } = useQuery(unreadQuery(memberSid));
  const unread = data?.unread ?? 0;
  useEffect(() => setUnread(unread), [unread]);
  useEffect(() => () => setUnread(0), []);

  useEffect(() => {
    const { refetch, stop } = createAccountRefetcher(queryClient, inboxKey(memberSid));
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stopNotices = onNotice((notice) => {
      queryClient.setQueryData(unreadQuery(memberSid).queryKey, (known) => known && { ...known, unread: notice.unread });
      refetch();
    });
    const stopFills = onFill(() => {
      timer ??= setTimeout(() => {
        timer = undefined;
        refetch();
      }, FILL_STORED_MS);
    });
    return () => {
      stopNotices();
      stopFills();
      clearTimeout(timer);
      stop();
    };
  }, [memberSid, queryClient]);
  return null;
}
