import { useSearchParams } from 'react-router';
import { historyCopy } from '@/features/order/copy';
import { dayOf, PERIODS } from '@/features/order/historyPeriod';
import { HISTORY_TYPES } from '@/features/order/orderApi';
import { type HistoryChoice, OrderHistory } from '@/features/order/OrderHistory';
import { showReceipt } from '@/features/order/receiptStore';
import type { Category } from '@/shared/api/queryKeys';
import { useMemberSid } from '@/shared/api/session';
import { paths } from '@/shared/paths';
import { TopBar } from '@/shared/ui/TopBar';

const CATEGORIES: readonly Category[] = ['stock', 'coin', 'gold'];

/** Every order the member has made. What is looked at lives in the address, so that back and reload keep it. */
export default function OrderHistoryRoute() {
  const [search, setSearch] = useSearchParams();
  const memberSid = useMemberSid();
  if (memberSid === null) return null;
  const choice: HistoryChoice = {
    category: CATEGORIES.find((known) => known === search.get('tab')) ?? 'stock',
    type: HISTORY_TYPES.find((known) => known === search.get('type')) ?? 'ALL',
    period: PERIODS.find((known) => known === search.get('period')) ?? 'month',
    from: dayOf(search.get('from')),
    to: dayOf(search.get('to')),
  };
  const show = ({ category, from, to, ...rest }: HistoryChoice) =>
    setSearch({ tab: category, ...rest, ...(from === null ? {} : { from }), ...(to === null ? {} : { to }) }, { replace: true });
  return (
    <>
      <TopBar title={historyCopy.screen} backTo={paths.my} />
      <main id="main">
        <OrderHistory memberSid={memberSid} choice={choice} onChoice={show} onReceipt={showReceipt} />
      </main>
    </>
  );
}
