import { useQuery } from '@tanstack/react-query';
import { Navigate, useLocation, useNavigate, useParams, useSearchParams } from 'react-router';
import { quoteQuery } from '@/features/market/marketQueries';
import { showReceipt } from '@/features/order/receiptStore';
import { OrderSheet } from '@/features/order/OrderSheet';
import type { Category } from '@/shared/api/queryKeys';
import { useMemberSid } from '@/shared/api/session';
import { itemHref, paths, SIDES } from '@/shared/paths';
import { RowsSkeleton } from '@/shared/ui/Skeleton';
import { ErrorState } from '@/shared/ui/States';

/** Buying or selling one instrument: /order/stock/005930?side=buy */
export default function OrderRoute() {
  const { category: categoryText, code = '' } = useParams();
  const [search] = useSearchParams();
  const memberSid = useMemberSid();
  const category = CATEGORIES.find((known) => known === categoryText);
  const side = SIDES.find((known) => known === search.get('side')) ?? 'buy';
  if (!category || memberSid === null) return <Navigate to={paths.invest} replace />;
  return <OrderScreen key={`${code} ${side}`} memberSid={memberSid} category={category} code={code} side={side} />;
}

const CATEGORIES: readonly Category[] = ['stock', 'coin', 'gold'];

interface OrderScreenProps {
  memberSid: number;
  category: Category;
  code: string;
  side: (typeof SIDES)[number];
}

function OrderScreen({ memberSid, category, code, side }: OrderScreenProps) {
  const navigate = useNavigate();
  const { key } = useLocation();
  const quote = useQuery(quoteQuery(category, code));
  if (quote.isPending) {
    return (
      <main id="main" aria-busy="true">
        <RowsSkeleton rows={5} />
      </main>
    );
  }
  if (!quote.data) {
    return (
      <main id="main">
        <ErrorState error={quote.error} onRetry={() => void quote.refetch()} />
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
        side={side}
        onClose={leave}
        onSeeWaiting={() => void navigate(paths.waitingOrders, { replace: true })}
        onWhy={showReceipt}
      />
    </main>
  );
}
