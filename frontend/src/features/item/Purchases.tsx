import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Purchase, ShopItem } from '@/shared/api/types';
import { groupByDay } from '@/shared/format/dayGroups';
import { kstTime, parseServerTime } from '@/shared/format/kst';
import { unitless } from '@/shared/format/number';
import { itemHref } from '@/shared/moneyPaths';
import { EntryRow } from '@/shared/ui/EntryRow';
import { InfiniteFooter } from '@/shared/ui/InfiniteFooter';
import { RowsSkeleton } from '@/shared/ui/Skeleton';
import { EmptyState, ErrorState } from '@/shared/ui/States';
import { purchaseCopy } from './copy';
import { purchasesQuery } from './itemApi';
import { ItemPicture } from './ItemPicture';
import styles from './Items.module.css';
import { priceText } from './offer';

const PICTURE_PX = 40;

/** The member's purchases by day. */
export function Purchases({ memberSid, browse }: { memberSid: number; browse: ReactNode }) {
  const list = useInfiniteQuery(purchasesQuery(memberSid));
  if (list.isPending && list.fetchStatus !== 'paused') return <RowsSkeleton rows={4} />;
  if (!list.data) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />;
  const purchases = list.data.pages.flatMap((page) => page.purchases);
  const catalogue = list.data.pages[0]?.catalogue ?? [];
  if (purchases.length === 0) return <EmptyState title={purchaseCopy.empty} action={browse} />;
  return (
    <>
      {groupByDay(purchases, ({ time }) => time).map(({ key, year, month, day, rows }) => (
        <section key={key} aria-label={purchaseCopy.day(year, month, day)}>
          <h2 className={styles.day}>{purchaseCopy.day(year, month, day)}</h2>
          <ul>
            {rows.map((purchase) => (
              <li key={purchase.purchaseSid}>
                <PurchaseRow purchase={purchase} item={catalogue.find(({ itemSid }) => itemSid === purchase.itemSid)} />
              </li>
            ))}
          </ul>
        </section>
      ))}
      <InfiniteFooter hasMore={list.hasNextPage} isLoading={list.isFetchingNextPage} onMore={() => void list.fetchNextPage()} />
    </>
  );
}

function PurchaseRow({ purchase, item }: { purchase: Purchase; item: ShopItem | undefined }) {
  const { name, quantity, spent, currency, status, time } = purchase;
  const at = parseServerTime(time);
  return (
    <EntryRow
      lead={<ItemPicture image={item?.image ?? ''} size={PICTURE_PX} />}
      name={name}
      detail={status === 'REFUNDED' ? purchaseCopy.refunded : purchaseCopy.quantity(unitless(quantity))}
      value={priceText(spent, currency)}
      note={at ? kstTime(at) : ''}
      {...(item && { to: itemHref(item.itemSid) })}
    />
  );
}
