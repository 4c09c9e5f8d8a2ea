import { useInfiniteQuery } from '@tanstack/react-query';
import { decisionCopy } from '@/features/community/copy.decisions';
import { moderationCopy } from '@/features/community/copy.moderation';
import { ownReportsQuery } from '@/features/community/decisionsQueries';
import { rowsOf } from '@/features/community/queryParts';
import { kstDate, parseServerTime } from '@/shared/format/kst';
import { InfiniteFooter } from '@/shared/ui/InfiniteFooter';
import { Sheet } from '@/shared/ui/Sheet';
import { RowsSkeleton } from '@/shared/ui/Skeleton';
import { EmptyState, ErrorState } from '@/shared/ui/States';
import styles from './People.module.css';

interface ReportsSheetProps {
  memberSid: number;
  open: boolean;
  onClose: () => void;
}

/** What became of the member's reports. */
export function ReportsSheet({ memberSid, open, onClose }: ReportsSheetProps) {
  return (
    <Sheet open={open} title={decisionCopy.reports} onClose={onClose}>
      <Reports memberSid={memberSid} />
    </Sheet>
  );
}

function Reports({ memberSid }: { memberSid: number }) {
  const list = useInfiniteQuery(ownReportsQuery(memberSid));
  if (list.isPending && list.fetchStatus !== 'paused') return <RowsSkeleton rows={3} />;
  if (!list.data) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />;
  const reports = rowsOf(list.data.pages.map((page) => page.reports));
  if (reports.length === 0) return <EmptyState title={decisionCopy.noReports} />;
  return (
    <>
      <ul>
        {reports.map(({ sid, kind, reason, status, regDate }) => {
          const at = parseServerTime(regDate);
          return (
            <li key={sid} className={styles.reportRow}>
              <span className={styles.blockedName}>{`${decisionCopy.reportKind[kind]} · ${moderationCopy.reasons[reason]}`}</span>
              <span className={styles.meta}>{decisionCopy.reportStatus[status]}</span>
              {at && <span className={styles.meta}>{kstDate(at)}</span>}
            </li>
          );
        })}
      </ul>
      {list.hasNextPage && <InfiniteFooter hasMore isLoading={list.isFetchingNextPage} onMore={() => void list.fetchNextPage()} />}
    </>
  );
}
