import { useInfiniteQuery } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import { market } from '@/shared/copy/copy.shared';
import { dayOf } from '@/shared/format/days';
import { InfiniteFooter } from '@/shared/ui/InfiniteFooter';
import { RowsSkeleton } from '@/shared/ui/Skeleton';
import { EmptyState, ErrorState } from '@/shared/ui/States';
import { Tabs } from '@/shared/ui/Tabs';
import { historyCopy, waitingCopy } from '@/features/order/copy';
import { type HistoryPeriod, type HistorySpan, type HistoryType } from '@/features/order/orderApi';
import { historyQuery } from '@/features/order/orderQueries';
import { HistoryDays } from './HistoryDays';
import { HistoryFilter } from './HistoryFilter';
import { HISTORY_KINDS, type HistoryKind } from './historyPages';
import { type PeriodName, periodUntil } from './historyPeriod';
import styles from './OrderHistory.module.css';

/** The filter, which lives in the address. */
export interface HistoryChoice {
  kind: HistoryKind;
  type: HistoryType;
  period: PeriodName;
  /** The days of a custom period. */
  from: string | null;
  to: string | null;
  /** A past season; null is the present one. */
  season: number | null;
}

interface OrderHistoryProps {
  memberSid: number;
  choice: HistoryChoice;
  onChoice: (choice: HistoryChoice) => void;
  onReceipt: (orderSid: number) => void;
  /** Chooses the season. */
  seasons: ReactNode;
}

const TABS = HISTORY_KINDS.map((value) => ({ value, label: nameOf(value) }));

/** The orders of a kind and period, newest first, grouped by Korean day. */
export function OrderHistory({ memberSid, choice, onChoice, onReceipt, seasons }: OrderHistoryProps) {
  const panelId = useId();
  const [today] = useState(() => new Date());
  const period = periodOf(choice, today);
  return (
    <>
      <div className={styles.tabs}>
        <Tabs
          label={waitingCopy.tabsLabel}
          options={TABS}
          value={choice.kind}
          onChange={(kind) => onChoice({ ...choice, kind })}
          panelId={panelId}
        />
      </div>
      {seasons}
      <HistoryFilter
        choice={choice}
        shown={period ?? periodUntil(today, 'month')}
        isBackwards={period === null}
        panelId={panelId}
        onChoice={onChoice}
      />
      <div id={panelId} role="tabpanel" aria-label={nameOf(choice.kind)}>
        {period && <Orders memberSid={memberSid} choice={choice} period={period} onReceipt={onReceipt} />}
      </div>
    </>
  );
}

type OrdersProps = Pick<OrderHistoryProps, 'memberSid' | 'choice' | 'onReceipt'> & { period: HistorySpan };

function Orders({ memberSid, choice: { kind, type }, period, onReceipt }: OrdersProps) {
  const query = useInfiniteQuery(historyQuery(memberSid, kind, type, period));
  const orders = query.data?.pages.flatMap((page) => page.orders);
  if (!orders) {
    if (query.isError) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
    return <RowsSkeleton rows={6} />;
  }
  if (orders.length === 0) return <EmptyState title={historyCopy.empty} />;
  return (
    <>
      <HistoryDays memberSid={memberSid} orders={orders} onReceipt={onReceipt} />
      <InfiniteFooter hasMore={query.hasNextPage} isLoading={query.isFetchingNextPage} onMore={() => void query.fetchNextPage()} />
    </>
  );
}

function nameOf(kind: HistoryKind): string {
  return kind === 'all' ? historyCopy.types.ALL : market.investTab[kind];
}

/** The days of a filter; null when they end before they begin. */
function periodOf(choice: HistoryChoice, today: Date): HistorySpan | null {
  const days = daysOf(choice, today);
  return days && choice.season !== null ? { ...days, season: choice.season } : days;
}

function daysOf({ period, from, to }: HistoryChoice, today: Date): HistoryPeriod | null {
  if (period === 'all') return {};
  if (period !== 'custom') return periodUntil(today, period);
  const usual = periodUntil(today, 'month');
  const startDate = dayOf(from) ?? usual.startDate;
  const endDate = dayOf(to) ?? usual.endDate;
  return startDate <= endDate ? { startDate, endDate } : null;
}
