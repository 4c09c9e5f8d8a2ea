import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { PointChange } from '@/shared/api/types';
import { kstTime, parseServerTime } from '@/shared/format/kst';
import { unitless } from '@/shared/format/number';
import { won } from '@/shared/format/won';
import { DayGroups } from '@/shared/ui/DayGroups';
import { EntryRow } from '@/shared/ui/EntryRow';
import { Facts } from '@/shared/ui/Facts';
import { InfiniteFooter } from '@/shared/ui/InfiniteFooter';
import { RowsSkeleton } from '@/shared/ui/Skeleton';
import { EmptyState, ErrorState } from '@/shared/ui/States';
import { pointCopy, pointHistoryCopy } from './copy';
import styles from './Points.module.css';
import { pointHistoryQuery, pointsQuery } from './pointApi';

/** Where the member's points came from and what became of them. */
export function PointHistory({ memberSid }: { memberSid: number }) {
  const totals = useQuery(pointsQuery(memberSid)).data;
  const history = useInfiniteQuery(pointHistoryQuery(memberSid));
  if (history.isPending && history.fetchStatus !== 'paused') return <RowsSkeleton rows={6} />;
  if (!history.data) return <ErrorState error={history.error} onRetry={() => void history.refetch()} />;
  const changes = history.data.pages.flatMap((page) => page.changes);
  if (changes.length === 0) return <EmptyState title={pointHistoryCopy.empty} />;
  return (
    <>
      {totals && (
        <div className={styles.totals}>
          <Facts
            facts={[
              [pointHistoryCopy.totals.earned, pointCopy.points(unitless(totals.earned))],
              [pointHistoryCopy.totals.moved, pointCopy.points(unitless(totals.moved))],
              [pointHistoryCopy.totals.spent, pointCopy.points(unitless(totals.spent))],
            ]}
            sum={[pointCopy.balance, pointCopy.points(unitless(totals.educationPoint))]}
          />
        </div>
      )}
      <DayGroups rows={changes} timeOf={({ time }) => time} keyOf={({ sid }) => sid}>
        {(change) => <ChangeRow change={change} />}
      </DayGroups>
      <InfiniteFooter hasMore={history.hasNextPage} isLoading={history.isFetchingNextPage} onMore={() => void history.fetchNextPage()} />
    </>
  );
}

function ChangeRow({ change }: { change: PointChange }) {
  const { type, point, reason, won: gained, multiplier, time } = change;
  const at = parseServerTime(time);
  return (
    <EntryRow
      lead={
        <span aria-hidden="true" className={styles.kind}>
          {pointCopy.unit}
        </span>
      }
      name={nameOf(type, reason)}
      detail={type === 'MOVED' ? pointHistoryCopy.became(won(gained), String(multiplier)) : pointHistoryCopy.kinds[type]}
      value={<span className={point > 0 ? styles.plus : undefined}>{`${point > 0 ? '+' : ''}${pointCopy.points(unitless(point))}`}</span>}
      note={at ? kstTime(at) : ''}
    />
  );
}

function nameOf(type: PointChange['type'], reason: string): string {
  switch (type) {
    case 'EARNED':
      return pointHistoryCopy.earnedBy[reason] ?? pointHistoryCopy.kinds.EARNED;
    case 'MOVED':
      return pointCopy.screen;
    case 'SPENT':
      return pointHistoryCopy.spentOn[reason] ?? pointHistoryCopy.kinds.SPENT;
  }
}
