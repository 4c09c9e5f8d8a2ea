import { useQuery } from '@tanstack/react-query';
import { Navigate, useLocation, useNavigate, useParams, useSearchParams } from 'react-router';
import { quoteQuery } from '@/features/market/marketQueries';
import { modifyCopy, waitingCopy } from '@/features/order/copy';
import { isFinal, orderToChangeQuery } from '@/features/order/orderQueries';
import { sideOfRow } from '@/features/order/orderSides';
import { OrderSheet } from '@/features/order/OrderSheet';
import { showReceipt } from '@/features/order/receiptStore';
import type { Category } from '@/shared/api/queryKeys';
import { useMemberSid } from '@/shared/api/session';
import { itemHref, paths, SIDES } from '@/shared/paths';
import { ButtonLink } from '@/shared/ui/Button';
import { RowsSkeleton } from '@/shared/ui/Skeleton';
import { EmptyState, ErrorState } from '@/shared/ui/States';

/** Buying or selling one instrument: /order/stock/005930?side=buy, or changing an order that waits: …&modify=501 */
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

const CATEGORIES: readonly Category[] = ['stock', 'coin', 'gold'];

interface OrderScreenProps {
  memberSid: number;
  category: Category;
  code: string;
  side: (typeof SIDES)[number];
  /** The order that is to be changed; null makes a new one. */
  changes: number | null;
}

function OrderScreen({ memberSid, category, code, side, changes }: OrderScreenProps) {
  const navigate = useNavigate();
  const { key } = useLocation();
  const quote = useQuery(quoteQuery(category, code));
  const target = useQuery(orderToChangeQuery(memberSid, changes));
  const isWaitingForTarget = changes !== null && target.isPending;
  if (quote.isPending || isWaitingForTarget) {
    return (
      <main id="main" aria-busy="true">
        <RowsSkeleton rows={5} />
      </main>
    );
  }
  if (!quote.data || (changes !== null && !target.data)) {
    return (
      <main id="main">
        <ErrorState error={quote.error ?? target.error} onRetry={() => void (quote.data ? target : quote).refetch()} />
      </main>
    );
  }
  const changed = target.data?.order ?? null;
  if (changed && isFinal(changed.status)) {
    return (
      <main id="main">
        <EmptyState
          title={modifyCopy.tooLate}
          action={
            <ButtonLink to={paths.waitingOrders} replace tone="neutral">
              {waitingCopy.screen}
            </ButtonLink>
          }
        />
      </main>
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
        onWhy={showReceipt}
      />
    </main>
  );
}
