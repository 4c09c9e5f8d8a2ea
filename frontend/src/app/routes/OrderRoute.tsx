import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Navigate, useLocation, useNavigate, useParams, useSearchParams } from 'react-router';
import { quoteQuery } from '@/features/market/marketQueries';
import { modifyCopy, orderCopy, waitingCopy } from '@/features/order/copy';
import { isFinal, orderToChangeQuery } from '@/features/order/orderQueries';
import { sideOfRow } from '@/features/order/rules/orderSides';
import { OrderSheet } from '@/features/order/sheet/OrderSheet';
import { showReceipt } from '@/features/order/history/receiptStore';
import { CATEGORIES, type Category } from '@/shared/api/assets';
import { useMemberSid } from '@/shared/api/session';
import { itemHref, listHref, paths, SIDES } from '@/shared/paths';
import { ButtonLink } from '@/shared/ui/Button';
import { RowsSkeleton } from '@/shared/ui/Skeleton';
import { EmptyState, ErrorState, useIsOnline } from '@/shared/ui/States';
import { TopBar } from '@/shared/ui/TopBar';

/** Buys or sells an instrument (/order/stock/005930?side=buy), or modifies a waiting order (…&modify=501). */
export default function OrderRoute() {
  const { category: categoryText, code = '' } = useParams();
  const [search] = useSearchParams();
  const memberSid = useMemberSid();
  const category = CATEGORIES.find((known) => known === categoryText);
  const side = SIDES.find((known) => known === search.get('side')) ?? 'buy';
  if (!category || memberSid === null) return <Navigate to={paths.invest} replace />;
  const modify = search.get('modify') ?? '';
  const changes = /^[1-9]\d{0,15}$/.test(modify) ? Number(modify) : null;
  return (
    <OrderScreen key={`${code} ${side} ${modify}`} memberSid={memberSid} category={category} code={code} side={side} changes={changes} />
  );
}

interface OrderScreenProps {
  memberSid: number;
  category: Category;
  code: string;
  side: (typeof SIDES)[number];
  /** The id of the order to modify; null for a new order. */
  changes: number | null;
}

function OrderScreen({ memberSid, category, code, side, changes }: OrderScreenProps) {
  const navigate = useNavigate();
  const { key } = useLocation();
  const quote = useQuery(quoteQuery(category, code));
  const target = useQuery(orderToChangeQuery(memberSid, changes));
  const isOnline = useIsOnline();
  // An open sheet stays whatever happens to the order: a modification may be on its way.
  const [isOpen, setOpen] = useState(false);
  const isWaitingForTarget = changes !== null && target.isPending;
  if (quote.isPending || isWaitingForTarget) {
    // Offline nothing is loading, and nobody knows for how long.
    const isOffline = quote.fetchStatus === 'paused' || target.fetchStatus === 'paused';
    return (
      <BeforeSheet category={category} isBusy={!isOffline}>
        {isOffline ? <ErrorState body={orderCopy.offline} /> : <RowsSkeleton rows={5} />}
      </BeforeSheet>
    );
  }
  if (!quote.data || (changes !== null && !target.data)) {
    return (
      <BeforeSheet category={category}>
        <ErrorState error={quote.error ?? target.error} body={isOnline ? undefined : orderCopy.offline} onRetry={() => void (quote.data ? target : quote).refetch()} />
      </BeforeSheet>
    );
  }
  const changed = target.data?.order ?? null;
  const isOver = changed !== null && isFinal(changed.status);
  if (!isOver && !isOpen) setOpen(true);
  if (isOver && !isOpen) {
    return (
      <BeforeSheet category={category}>
        <EmptyState
          title={modifyCopy.tooLate}
          action={
            <ButtonLink to={paths.waitingOrders} replace tone="neutral">
              {waitingCopy.screen}
            </ButtonLink>
          }
        />
      </BeforeSheet>
    );
  }
  const item = quote.data;
  const leave = () => {
    if (key === 'default') void navigate(itemHref(item), { replace: true });
    else void navigate(-1);
  };
  return (
    <main id="main">
      <OrderSheet
        memberSid={memberSid}
        category={category}
        item={item}
        side={changed ? sideOfRow(changed.side) : side}
        changed={changed}
        onClose={leave}
        onSeeWaiting={() => void navigate(`${paths.waitingOrders}?tab=${category}`, { replace: true })}
        onSeeHoldings={() => void navigate(paths.holdings, { replace: true })}
        onSeeOthers={() => void navigate(listHref(category), { replace: true })}
        onWhy={showReceipt}
      />
    </main>
  );
}

/** The place of the sheet while it loads, with a way back. */
function BeforeSheet({ category, isBusy = false, children }: { category: Category; isBusy?: boolean; children: ReactNode }) {
  return (
    <>
      <TopBar title={orderCopy.screen} backTo={listHref(category)} />
      <main id="main" aria-busy={isBusy}>
        {children}
      </main>
    </>
  );
}
