import { useInfiniteQuery } from '@tanstack/react-query';
import { type ReactNode, useId, useMemo } from 'react';
import type { Dividend } from '@/shared/api/types';
import { action } from '@/shared/copy/copy.shared';
import { Button } from '@/shared/ui/Button';
import { GroupHeading } from '@/shared/ui/GroupHeading';
import { InfiniteFooter } from '@/shared/ui/InfiniteFooter';
import { Section, SectionError } from '@/shared/ui/Section';
import { RowsSkeleton } from '@/shared/ui/Skeleton';
import { EmptyState, ErrorState } from '@/shared/ui/States';
import { dividendCopy } from './copy.dividend';
import { dividendsQuery, monthsOf } from './dividendQueries';
import { DividendRow } from './DividendRow';
import styles from './Dividends.module.css';

interface DividendsProps {
  memberSid: number;
  hrefOf: (dividend: Dividend) => string;
  /** Where to go when there are none. */
  browse: ReactNode;
}

/** The member's dividends: upcoming and paid ones separately. */
export function Dividends({ memberSid, hrefOf, browse }: DividendsProps) {
  const due = useInfiniteQuery(dividendsQuery(memberSid, 'DUE'));
  const paid = useInfiniteQuery(dividendsQuery(memberSid, 'PAID'));
  const announced = due.data?.pages.flatMap((page) => page.announced) ?? [];
  const coming = due.data?.pages.flatMap((page) => page.dividends) ?? [];
  const received = paid.data?.pages.flatMap((page) => page.dividends) ?? [];
  const reload = () => void Promise.all([due.refetch(), paid.refetch()]);

  if (due.isPending || paid.isPending) {
    return <RowsSkeleton rows={6} />;
  }
  if (!due.data && !paid.data) return <ErrorState error={due.error} onRetry={reload} />;
  const isEmpty = due.data && paid.data && announced.length + coming.length + received.length === 0;
  if (isEmpty) return <EmptyState title={dividendCopy.empty} body={dividendCopy.emptyBody} action={browse} />;
  return (
    <>
      {!due.data && <SectionError onRetry={() => void due.refetch()} />}
      {announced.length + coming.length > 0 && (
        <Section title={dividendCopy.coming}>
          {[...announced, ...coming].some(({ currency }) => currency === 'USD') && <p className={styles.note}>{dividendCopy.estimate}</p>}
          {announced.length > 0 && <Rows title={dividendCopy.announced} dividends={announced} hrefOf={hrefOf} />}
          <Months dividends={coming} hrefOf={hrefOf} />
          {due.hasNextPage && (
            <div className={styles.more}>
              <Button tone="neutral" busy={due.isFetchingNextPage} onClick={() => void due.fetchNextPage()}>
                {action.more}
              </Button>
            </div>
          )}
        </Section>
      )}
      <Section title={dividendCopy.paid}>
        {!paid.data && <SectionError onRetry={() => void paid.refetch()} />}
        {paid.data && received.length === 0 && <p className={styles.note}>{dividendCopy.nothingPaid}</p>}
        <Months dividends={received} hrefOf={hrefOf} />
        {received.length > 0 && (
          <InfiniteFooter hasMore={paid.hasNextPage} isLoading={paid.isFetchingNextPage} onMore={() => void paid.fetchNextPage()} />
        )}
      </Section>
    </>
  );
}

type RowsProps = { title: string; dividends: readonly Dividend[]; hrefOf: DividendsProps['hrefOf'] };

function Months({ dividends, hrefOf }: Omit<RowsProps, 'title'>) {
  const months = useMemo(() => monthsOf(dividends), [dividends]);
  return months.map(({ key, dividends: rows }) => (
    <Rows key={key} title={dividendCopy.month(key.slice(0, 4), key.slice(5))} dividends={rows} hrefOf={hrefOf} />
  ));
}

function Rows({ title, dividends, hrefOf }: RowsProps) {
  const id = useId();
  return (
    <>
      <GroupHeading as="h3" id={id} title={title} />
      <ul aria-labelledby={id}>
        {dividends.map((dividend) => (
          <li key={`${dividend.acno} ${dividend.isuSrtCd} ${dividend.exDay}`}>
            <DividendRow dividend={dividend} to={hrefOf(dividend)} />
          </li>
        ))}
      </ul>
    </>
  );
}
