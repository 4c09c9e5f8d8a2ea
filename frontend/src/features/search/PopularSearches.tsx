import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { InstrumentKind } from '@/shared/api/assets';
import { popularItemsQuery } from '@/shared/api/popularItems';
import { useMemberSid } from '@/shared/api/session';
import { RowsSkeleton } from '@/shared/ui/Skeleton';
import { ErrorState } from '@/shared/ui/States';
import { search } from './copy';
import { FoundItems, FoundProducts, type FoundRows } from './FoundList';
import type { SearchKind } from './searchKinds';
import { popularProductsQuery } from './searchQueries';
import styles from './SearchOverlay.module.css';

/** Popular instruments of a kind; nothing when there are none. */
export function PopularSearches({ kind, ...rows }: { kind: SearchKind } & FoundRows) {
  return (
    <section aria-labelledby="popular-searches" className={styles.popular}>
      <h3 id="popular-searches" className={styles.heading}>
        {search.popular(search[kind])}
      </h3>
      {kind === 'product' ? <PopularProducts {...rows} /> : <PopularItems kind={kind} {...rows} />}
    </section>
  );
}

function PopularItems({ kind, heartOf }: { kind: InstrumentKind } & FoundRows) {
  const { data, error, refetch } = useQuery(popularItemsQuery(kind, useMemberSid()));
  if (!data) return <Loading error={error} onRetry={() => void refetch()} />;
  return <FoundItems rows={data} mark={plain} heartOf={heartOf} />;
}

function PopularProducts({ productRow }: FoundRows) {
  const { data, error, refetch } = useQuery(popularProductsQuery());
  if (!data) return <Loading error={error} onRetry={() => void refetch()} />;
  return <FoundProducts rows={data} mark={plain} productRow={productRow} />;
}

function Loading({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return error ? <ErrorState error={error} onRetry={onRetry} /> : <RowsSkeleton rows={6} />;
}

function plain(name: string): ReactNode {
  return name;
}
