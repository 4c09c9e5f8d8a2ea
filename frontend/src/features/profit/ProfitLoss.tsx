import { useInfiniteQuery, type UseInfiniteQueryResult } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import type { ProfitPage, ProfitRow } from '@/shared/api/types';
import { InfiniteFooter } from '@/shared/ui/InfiniteFooter';
import { Bone, RowsSkeleton } from '@/shared/ui/Skeleton';
import { EmptyState, ErrorState } from '@/shared/ui/States';
import { profitCopy } from './copy';
import { type ProfitChoice, spanOf } from './profitChoice';
import { ProfitFilterBar } from './ProfitFilterBar';
import { profitQuery, type ProfitFilter } from './profitQueries';
import { ProfitRows } from './ProfitRows';
import { ProfitSums, ThisMonth } from './ProfitTotals';
import styles from './Profit.module.css';

interface ProfitLossProps {
  memberSid: number;
  /** Whether the member competes, and sees the competition account alone. */
  competes: boolean;
  choice: ProfitChoice;
  onChoice: (choice: ProfitChoice) => void;
  hrefOf: (row: ProfitRow) => string | undefined;
  /** Where to go when nothing was sold. */
  browse: ReactNode;
  /** Chooses the season. */
  seasons: ReactNode;
  /** What the accounts were worth day by day. */
  equity: ReactNode;
}

/** What the member gained and lost: this month, the sums of a span, and what they consist of. */
export function ProfitLoss({ memberSid, competes, choice, onChoice, hrefOf, browse, seasons, equity }: ProfitLossProps) {
  const panelId = useId();
  const [now] = useState(() => new Date());
  const span = spanOf(choice, now);
  const bar = (
    <>
      {seasons}
      <ProfitFilterBar choice={choice} now={now} isBackwards={span === null} panelId={panelId} hasTypes={!competes} onChoice={onChoice} />
    </>
  );
  // What was realized this month does not depend on the span.
  const filter: ProfitFilter = { type: competes ? 'COMPETITION' : choice.type, groupBy: choice.groupBy, span: span ?? 'ALL', season: choice.season };
  return (
    <Listed
      memberSid={memberSid}
      filter={filter}
      isShown={span !== null}
      choice={choice}
      equity={equity}
      bar={bar}
      panelId={panelId}
      hrefOf={hrefOf}
      browse={browse}
    />
  );
}

interface ListedProps extends Pick<ProfitLossProps, 'memberSid' | 'choice' | 'hrefOf' | 'browse' | 'equity'> {
  filter: ProfitFilter;
  /** False while the chosen days are none. */
  isShown: boolean;
  bar: ReactNode;
  panelId: string;
}

function Listed({ memberSid, filter, isShown, equity, bar, panelId, ...list }: ListedProps) {
  const query = useInfiniteQuery(profitQuery(memberSid, filter));
  const first = query.data?.pages[0];
  const failed = query.isError && !first;
  return (
    <>
      {list.choice.season === null && (first ? <ThisMonth value={first.summary.thisMonth} /> : !failed && <ThisMonthSkeleton />)}
      {bar}
      {equity}
      <div id={panelId} role="tabpanel" aria-label={profitCopy.groups[list.choice.groupBy]}>
        {failed && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
        {!first && !failed && <RowsSkeleton rows={6} />}
        {isShown && query.data && <Pages query={query} pages={query.data.pages} {...list} />}
      </div>
    </>
  );
}

interface PagesProps extends Pick<ListedProps, 'choice' | 'hrefOf' | 'browse'> {
  query: Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'>;
  pages: readonly ProfitPage[];
}

function Pages({ query, pages, choice, hrefOf, browse }: PagesProps) {
  const rows = pages.flatMap((page) => page.rows);
  const [first] = pages;
  return (
    <>
      {first && <ProfitSums page={first} period={periodOf(choice)} />}
      {rows.length === 0 ? (
        <Empty choice={choice} browse={browse} />
      ) : (
        <>
          <ProfitRows rows={rows} groupBy={choice.groupBy} hrefOf={hrefOf} />
          <InfiniteFooter hasMore={query.hasNextPage} isLoading={query.isFetchingNextPage} onMore={() => void query.fetchNextPage()} />
        </>
      )}
    </>
  );
}

function Empty({ choice, browse }: Pick<ListedProps, 'choice' | 'browse'>) {
  if (choice.type === 'PRODUCT') return <EmptyState title={profitCopy.emptyInterest} />;
  return choice.period === 'ALL' ? <EmptyState title={profitCopy.empty} action={browse} /> : <EmptyState title={profitCopy.emptyPeriod} />;
}

function periodOf({ period }: ProfitChoice): string {
  return period === 'custom' ? profitCopy.chosenPeriod : profitCopy.periods[period];
}

function ThisMonthSkeleton() {
  return (
    <div className={styles.hero} aria-hidden="true">
      <Bone width={120} height={20} />
      <Bone width="60%" height={38} />
    </div>
  );
}
