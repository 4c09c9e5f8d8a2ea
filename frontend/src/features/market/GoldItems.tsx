import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Item } from '@/shared/api/types';
import { factLine } from '@/shared/format/factLine';
import { itemHref } from '@/shared/paths';
import { InfiniteFooter } from '@/shared/ui/InfiniteFooter';
import { ItemRow } from '@/shared/ui/ItemRow';
import { ListRow } from '@/shared/ui/ListRow';
import { RowsSkeleton } from '@/shared/ui/Skeleton';
import { SortSelect, useSortParam } from '@/shared/ui/SortSelect';
import { EmptyState, ErrorState } from '@/shared/ui/States';
import { gold, list } from './copy';
import styles from './Gold.module.css';
import { browseQuery, SORTS } from './marketQueries';

const SKELETON_ROWS = 4;
// The market value of a commodity is unknown.
const COMMODITY_SORTS = SORTS.filter((sort) => sort !== 'marketCap');

/** Tradable gold, and the international prices of gold and other commodities. */
export function GoldItems({ heartOf }: { heartOf: (item: Item) => ReactNode }) {
  const [sort, setSort] = useSortParam(COMMODITY_SORTS);
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    browseQuery('gold', 'GOLD', sort),
  );
  if (!data) {
    if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
    return <RowsSkeleton rows={SKELETON_ROWS} />;
  }
  const items = data.pages.flatMap((page) => page.items);
  if (items.length === 0) return <EmptyState title={list.empty} />;
  return (
    <>
      <SortSelect values={COMMODITY_SORTS} names={list.sorts} value={sort} onChange={setSort} />
      <Group title={gold.domestic} items={items.filter(({ tradable }) => tradable)} heartOf={heartOf} />
      <Group title={gold.world} note={gold.worldNote} items={items.filter(({ tradable }) => !tradable)} heartOf={heartOf} />
      {hasNextPage && <InfiniteFooter hasMore isLoading={isFetchingNextPage} onMore={() => void fetchNextPage()} />}
    </>
  );
}

interface GroupProps {
  title: string;
  note?: string;
  items: readonly Item[];
  heartOf: (item: Item) => ReactNode;
}

function Group({ title, note, items, heartOf }: GroupProps) {
  if (items.length === 0) return null;
  return (
    <section className={styles.group} aria-label={title}>
      <h2 className={styles.heading}>{title}</h2>
      {note && <p className={styles.note}>{note}</p>}
      <ul>
        {items.map((item) => (
          <ListRow key={item.isuSrtCd}>
            <ItemRow item={item} to={itemHref(item)} control={heartOf(item)} meta={factLine(gold.per(item.unit), item.isuSrtCd)} />
          </ListRow>
        ))}
      </ul>
    </section>
  );
}
