import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Purchase, ShopItem } from '@/shared/api/types';
import { kstTime, parseServerTime } from '@/shared/format/kst';
import { unitless } from '@/shared/format/number';
import { itemHref } from '@/shared/moneyPaths';
import { DayGroups } from '@/shared/ui/DayGroups';
import { EntryRow } from '@/shared/ui/EntryRow';
import { InfiniteFooter } from '@/shared/ui/InfiniteFooter';
import { RowsSkeleton } from '@/shared/ui/Skeleton';
import { EmptyState, ErrorState } from '@/shared/ui/States';
import { purchaseCopy } from './copy';
import { purchasesQuery } from './itemApi';
import { ItemPicture } from './ItemPicture';
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
      <DayGroups rows={purchases} timeOf={({ time }) => time} keyOf={({ purchaseSid }) => purchaseSid}>
        {(purchase) => <PurchaseRow purchase={purchase} item={catalogue.find(({ itemSid }) => itemSid === purchase.itemSid)} />}
      </DayGroups>
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
