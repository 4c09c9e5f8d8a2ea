import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Category } from '@/shared/api/assets';
import type { Item, MarketCode } from '@/shared/api/types';
import { InfiniteFooter } from '@/shared/ui/InfiniteFooter';
import { RowsSkeleton } from '@/shared/ui/Skeleton';
import { EmptyState, ErrorState } from '@/shared/ui/States';
import { list } from './copy';
import { ItemList } from './ItemList';
import { browseQuery, type Sort } from './marketQueries';

interface BrowseListProps {
  category: Category;
  marketCode: MarketCode;
  sort: Sort;
  heartOf: (item: Item) => ReactNode;
}

/** All instruments of a market, loaded page by page. */
export function BrowseList({ category, marketCode, sort, heartOf }: BrowseListProps) {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    browseQuery(category, marketCode, sort),
  );
  if (!data) {
    return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <RowsSkeleton rows={12} />;
  }
  const items = withoutRepeats(data.pages.flatMap((page) => page.items));
  if (items.length === 0) return <EmptyState title={list.empty} />;
  return (
    <>
      <ItemList items={items} heartOf={heartOf} total={data.pages[0]?.total ?? items.length} />
      <InfiniteFooter hasMore={hasNextPage} isLoading={isFetchingNextPage} onMore={() => void fetchNextPage()} />
    </>
  );
}

/** The ranking changes between pages, so a row can occur twice. */
function withoutRepeats(items: readonly Item[]): Item[] {
  return [...new Map(items.map((item) => [item.isuSrtCd, item])).values()];
}
