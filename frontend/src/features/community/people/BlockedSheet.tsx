import { useInfiniteQuery } from '@tanstack/react-query';
import { blockedQuery } from '@/features/community/peopleQueries';
import { moderationCopy } from '@/features/community/copy.moderation';
import { useUnblock } from '@/features/community/useUnblock';
import { Button } from '@/shared/ui/Button';
import { InfiniteFooter } from '@/shared/ui/InfiniteFooter';
import { Sheet } from '@/shared/ui/Sheet';
import { RowsSkeleton } from '@/shared/ui/Skeleton';
import { EmptyState, ErrorState } from '@/shared/ui/States';
import styles from './People.module.css';

interface BlockedSheetProps {
  memberSid: number;
  open: boolean;
  onClose: () => void;
}

/** Whom the member blocked, each with the way to take it back. */
export function BlockedSheet({ memberSid, open, onClose }: BlockedSheetProps) {
  return (
    <Sheet open={open} title={moderationCopy.blockedMembers} onClose={onClose}>
      <BlockedMembers memberSid={memberSid} />
    </Sheet>
  );
}

function BlockedMembers({ memberSid }: { memberSid: number }) {
  const list = useInfiniteQuery(blockedQuery(memberSid));
  const unblock = useUnblock(memberSid);
  if (list.isPending && list.fetchStatus !== 'paused') return <RowsSkeleton rows={3} />;
  if (!list.data) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />;
  const members = list.data.pages.flatMap((page) => page.members);
  if (members.length === 0) return <EmptyState title={moderationCopy.noBlocked} />;
  return (
    <>
      <ul>
        {members.map(({ userSid, nickname }) => (
          <li key={userSid} className={styles.blockedRow}>
            <span className={styles.blockedName}>{nickname}</span>
            <Button tone="neutral" busy={unblock.isPending && unblock.variables.userSid === userSid} onClick={() => unblock.mutate({ userSid, nickname })}>
              {moderationCopy.unblock}
            </Button>
          </li>
        ))}
      </ul>
      {list.hasNextPage && <InfiniteFooter hasMore isLoading={list.isFetchingNextPage} onMore={() => void list.fetchNextPage()} />}
    </>
  );
}
