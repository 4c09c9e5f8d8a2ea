import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { InstrumentKind } from '@/shared/api/assets';
import { given } from '@/shared/copy/copy.given';
import { sorting } from '@/shared/copy/copy.shared';
import { ITEM_SORTS, type ItemSort, sortItems } from '@/shared/format/sortItems';
import { InfiniteFooter } from '@/shared/ui/InfiniteFooter';
import { SortSelect } from '@/shared/ui/SortSelect';
import { announce } from '@/shared/ui/screenAnnouncer';
import { RowsSkeleton } from '@/shared/ui/Skeleton';
import { EmptyState } from '@/shared/ui/States';
import { search } from './copy';
import { FoundElsewhere } from './FoundElsewhere';
import { FoundItems, FoundProducts, type FoundRows } from './FoundList';
import type { SearchKind } from './searchKinds';
import { productSearchQuery, searchQuery } from './searchQueries';
import styles from './SearchOverlay.module.css';
import { useNameMark } from './useNameMark';

interface ResultsProps {
  text: string;
  /** Switches to another kind. */
  onKind: (kind: SearchKind) => void;
}

const SORT_NAMES = { ...sorting.items, given: search.byMatch };

/** The results of a kind, paged; without any, those of the other kinds. */
export function Results({ kind, ...props }: { kind: SearchKind } & ResultsProps & FoundRows) {
  return kind === 'product' ? <ProductResults {...props} /> : <ItemResults kind={kind} {...props} />;
}

function ItemResults({ kind, text, onKind, heartOf }: { kind: InstrumentKind } & ResultsProps & FoundRows) {
  const query = useInfiniteQuery(searchQuery(kind, text));
  const mark = useNameMark(text);
  const [sort, setSort] = useState<ItemSort>('given');
  const rows = query.data?.pages.flat();
  useAnnouncedCount(rows?.length, text);
  if (!rows) return <RowsSkeleton rows={6} />;
  // Only a complete result can be sorted locally; each page would start over.
  const isWhole = query.data?.pages.length === 1 && !query.hasNextPage;
  if (rows.length === 0) return query.isFetching ? <RowsSkeleton rows={6} /> : <Nothing kind={kind} text={text} onKind={onKind} />;
  return (
    <>
      {isWhole && rows.length > 1 && (
        <div className={styles.order}>
          <SortSelect values={ITEM_SORTS} names={SORT_NAMES} value={sort} onChange={setSort} />
        </div>
      )}
      <FoundItems key={`${kind} ${text} ${sort}`} rows={isWhole ? sortItems(rows, sort) : rows} mark={mark} heartOf={heartOf} />
      <More query={query} />
    </>
  );
}

function ProductResults({ text, onKind, productRow }: ResultsProps & FoundRows) {
  const query = useInfiniteQuery(productSearchQuery(text));
  const mark = useNameMark(text);
  const rows = query.data?.pages.flat();
  useAnnouncedCount(rows?.length, text);
  if (query.isError && !rows) {
    return (
      <p role="alert" className={styles.none}>
        {given.searchError(query.error.message)}
      </p>
    );
  }
  if (!rows) return <RowsSkeleton rows={6} />;
  if (rows.length === 0) return <Nothing kind="product" text={text} onKind={onKind} />;
  return (
    <>
      <FoundProducts key={text} rows={rows} mark={mark} productRow={productRow} />
      <More query={query} />
    </>
  );
}

function Nothing({ kind, text, onKind }: { kind: SearchKind } & ResultsProps) {
  return (
    <>
      <EmptyState title={given.searchEmpty(text)} />
      <FoundElsewhere kind={kind} text={text} onKind={onKind} />
    </>
  );
}

interface Paged {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => Promise<unknown>;
}

function More({ query }: { query: Paged }) {
  return <InfiniteFooter hasMore={query.hasNextPage} isLoading={query.isFetchingNextPage} onMore={() => void query.fetchNextPage()} />;
}

function useAnnouncedCount(count: number | undefined, text: string): void {
  useEffect(() => {
    if (count !== undefined) announce(search.count(count));
  }, [count, text]);
}
