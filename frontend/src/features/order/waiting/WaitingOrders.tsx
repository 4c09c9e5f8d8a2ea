import { useQueries, useQuery } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import { CATEGORIES, type Category } from '@/shared/api/assets';
import type { Order } from '@/shared/api/types';
import { useAccountName } from '@/shared/api/useAccountName';
import { market } from '@/shared/copy/copy.shared';
import { modifyHref } from '@/shared/paths';
import { useNavigateFromOverlay } from '@/shared/ui/overlayHistory';
import { Tabs } from '@/shared/ui/Tabs';
import { EmptyState, ErrorState, useIsOnline } from '@/shared/ui/States';
import { RowsSkeleton } from '@/shared/ui/Skeleton';
import { SortSelect, useSortParam } from '@/shared/ui/SortSelect';
import { waitingCopy } from '@/features/order/copy';
import { sideOfRow } from '@/features/order/rules/orderSides';
import { CancelOrder } from './CancelOrder';
import { OrderMenu } from './OrderMenu';
import { waitingQuery } from './waitingQuery';
import { WaitingRow } from './WaitingRow';
import styles from './WaitingOrders.module.css';

/** The server sends the newest first. */
const WAITING_SORTS = ['newest', 'oldest', 'name'] as const;
type WaitingSort = (typeof WAITING_SORTS)[number];

interface WaitingOrdersProps {
  memberSid: number;
  /** Null opens the category of the newest order. */
  chosen: Category | null;
  onCategory: (category: Category) => void;
  /** Where to go when there are no orders. */
  browse: ReactNode;
}

/** Open orders, with the distance of each price from the live price. */
export function WaitingOrders({ memberSid, chosen, onCategory, browse }: WaitingOrdersProps) {
  const [cancelling, setCancelling] = useState<Order | null>(null);
  const [opened, setOpened] = useState<Order | null>(null);
  const navigate = useNavigateFromOverlay();
  const { countOf, newest } = useWaitingCounts(memberSid);
  // Decided once: an order that fills must not switch the tab under the finger.
  const [initial, setInitial] = useState<Category | null>(null);
  if (initial === null && newest !== null) setInitial(newest);
  const category = chosen ?? initial ?? 'stock';
  const waiting = useQuery(waitingQuery(memberSid, category));
  const isPending = waiting.isPending || (chosen === null && initial === null);
  const [sort, setSort] = useSortParam(WAITING_SORTS);
  const nameOf = useAccountName(memberSid);
  const isOnline = useIsOnline();
  const panelId = useId();

  const modify = (order: Order) => {
    navigate(modifyHref(category, order.isuSrtCd, sideOfRow(order.side), order.orderSid));
    setOpened(null);
  };

  return (
    <>
      <div className={styles.tabs}>
        <Tabs
          label={waitingCopy.tabsLabel}
          options={CATEGORIES.map((value) => ({ value, label: waitingCopy.counted(market.investTab[value], countOf(value)) }))}
          value={category}
          onChange={onCategory}
          panelId={panelId}
        />
      </div>
      <div id={panelId} role="tabpanel" aria-label={market.investTab[category]} aria-busy={isPending}>
        {isPending && <RowsSkeleton rows={5} />}
        {waiting.isError && !waiting.data && <ErrorState error={waiting.error} onRetry={() => void waiting.refetch()} />}
        {!isPending && waiting.data?.length === 0 && <EmptyState title={waitingCopy.empty} action={browse} />}
        {!isPending && waiting.data && waiting.data.length > 1 && (
          <SortSelect values={WAITING_SORTS} names={waitingCopy.sorts} value={sort} onChange={setSort} />
        )}
        {!isPending && waiting.data && waiting.data.length > 0 && (
          <ul className={styles.list}>
            {sortWaiting(waiting.data, sort).map((order) => (
              <li key={order.orderSid}>
                <WaitingRow
                  order={order}
                  accountName={nameOf(order.acno)}
                  canChange={isOnline}
                  onMenu={() => setOpened(order)}
                  onModify={() => modify(order)}
                  onCancel={() => setCancelling(order)}
                />
              </li>
            ))}
          </ul>
        )}
      </div>
      <OrderMenu
        order={opened}
        onModify={modify}
        onCancel={(order) => {
          setOpened(null);
          setCancelling(order);
        }}
        onClose={() => setOpened(null)}
      />
      <CancelOrder memberSid={memberSid} order={cancelling} onClose={() => setCancelling(null)} />
    </>
  );
}

/** The number of waiting orders of a category, and the category of the newest; null until all are known. */
function useWaitingCounts(memberSid: number): { countOf: (category: Category) => number; newest: Category | null } {
  // Only the list on the screen is polled; fills and orders refetch them all.
  const lists = useQueries({ queries: CATEGORIES.map((category) => ({ ...waitingQuery(memberSid, category), refetchInterval: false as const })) });
  const ordersOf = (category: Category) => lists[CATEGORIES.indexOf(category)]?.data ?? [];
  const newestIn = (category: Category) => Math.max(0, ...ordersOf(category).map(({ orderSid }) => orderSid));
  const newest = CATEGORIES.reduce((best, category) => (newestIn(category) > newestIn(best) ? category : best), 'stock');
  return {
    countOf: (category) => ordersOf(category).length,
    newest: lists.some(({ isPending }) => isPending) ? null : newest,
  };
}

function sortWaiting(orders: readonly Order[], sort: WaitingSort): Order[] {
  switch (sort) {
    case 'newest':
      return [...orders].sort((a, b) => b.orderSid - a.orderSid);
    case 'oldest':
      return [...orders].sort((a, b) => a.orderSid - b.orderSid);
    case 'name':
      return [...orders].sort((a, b) => a.isuKorNm.localeCompare(b.isuKorNm, 'ko'));
  }
}
