import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import type { Category } from '@/shared/api/assets';
import type { Item } from '@/shared/api/types';
import { sorting } from '@/shared/copy/copy.shared';
import { ITEM_SORTS, type ItemSort, sortItems } from '@/shared/format/sortItems';
import { RowsSkeleton } from '@/shared/ui/Skeleton';
import { SortSelect, useSortParam } from '@/shared/ui/SortSelect';
import { EmptyState, ErrorState } from '@/shared/ui/States';
import { useArrived } from '@/shared/ui/useArrived';
import { list } from './copy';
import { ItemList } from './ItemList';
import { popularQuery } from './marketQueries';

const SORT_NAMES = { ...sorting.items, given: list.byPopularity };

/** The most traded and viewed instruments, by popularity or sorted. */
export function PopularList({ category, heartOf }: { category: Category; heartOf: (item: Item) => ReactNode }) {
  const [sort, setSort] = useSortParam(ITEM_SORTS);
  return (
    <>
      <SortSelect values={ITEM_SORTS} names={SORT_NAMES} value={sort} onChange={setSort} />
      <Rows category={category} sort={sort} heartOf={heartOf} />
    </>
  );
}

interface RowsProps {
  category: Category;
  sort: ItemSort;
  heartOf: (item: Item) => ReactNode;
}

function Rows({ category, sort, heartOf }: RowsProps) {
  const { data, error, refetch } = useQuery(popularQuery(category));
  const hasArrived = useArrived(data);
  const sorted = useMemo(() => data && sortItems(data, sort), [data, sort]);
  if (sorted && hasArrived) return sorted.length === 0 ? <EmptyState title={list.empty} /> : <ItemList key={sort} items={sorted} heartOf={heartOf} />;
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return <RowsSkeleton rows={12} />;
}
