import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Category } from '@/shared/api/queryKeys';
import type { Item } from '@/shared/api/types';
import { RowsSkeleton } from '@/shared/ui/Skeleton';
import { EmptyState, ErrorState } from '@/shared/ui/States';
import { useArrived } from '@/shared/ui/useArrived';
import { list } from './copy';
import { ItemList } from './ItemList';
import { popularQuery } from './marketQueries';

/** What is traded most right now. */
export function PopularList({ category, heartOf }: { category: Category; heartOf: (item: Item) => ReactNode }) {
  const { data, error, refetch } = useQuery(popularQuery(category));
  const hasArrived = useArrived(data);
  if (data && hasArrived) return data.length === 0 ? <EmptyState title={list.empty} /> : <ItemList items={data} heartOf={heartOf} />;
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return <RowsSkeleton rows={12} />;
}
