import { useMutation, useQueryClient } from '@tanstack/react-query';
import { inboxCopy } from '@/features/notification/copy.inbox';
import { putRead } from '@/features/notification/notificationApi';
import { inboxKey, listsKey, unreadQuery } from '@/features/notification/notificationQueries';
import type { UnreadCount } from '@/features/notification/notificationTypes';
import { showSnackbar } from '@/shared/ui/snackbarStore';
import { type InboxPages, unreadAmong, withRead } from './readState';

/** Marks notifications as read, at once on the screen, and takes it back where the server does not. */
export function useRead(memberSid: number) {
  const queryClient = useQueryClient();
  const listKey = listsKey(memberSid);
  const { queryKey: unreadKey } = unreadQuery(memberSid);
  const setRead = (sids: ReadonlySet<number>, isRead: boolean) =>
    queryClient.setQueriesData<InboxPages>({ queryKey: listKey }, (pages) => withRead(pages, sids, isRead));
  const setUnread = (count: (before: number) => number) =>
    queryClient.setQueryData<UnreadCount>(unreadKey, (known) => known && { ...known, unread: Math.max(0, count(known.unread)) });

  return useMutation({
    mutationFn: (which: readonly number[] | 'all') => putRead(memberSid, which),
    onMutate: async (which) => {
      // A reply on its way knows nothing of this yet.
      await queryClient.cancelQueries({ queryKey: inboxKey(memberSid) });
      const unreadBefore = queryClient.getQueryData(unreadKey)?.unread ?? 0;
      const lists = queryClient.getQueriesData<InboxPages>({ queryKey: listKey });
      const changed = new Set(lists.flatMap(([, pages]) => unreadAmong(pages, which)));
      setRead(changed, true);
      setUnread((before) => (which === 'all' ? 0 : before - changed.size));
      return { changed, unreadBefore };
    },
    onSuccess: ({ unread }, which) => {
      setUnread(() => unread);
      if (which === 'all') showSnackbar(inboxCopy.readAllDone);
    },
    onError: (_problem, which, patch) => {
      if (!patch) return;
      setRead(patch.changed, false);
      setUnread((before) => (which === 'all' ? patch.unreadBefore : before + patch.changed.size));
      if (which === 'all') showSnackbar(inboxCopy.readAllFailed);
    },
    // The lists as well: a reply with a new row may have been dropped above.
    onSettled: () => void queryClient.invalidateQueries({ queryKey: inboxKey(memberSid) }),
  });
}
