import { useSearchParams } from 'react-router';
import { historyCopy } from '@/features/order/copy';
import { HISTORY_KINDS } from '@/features/order/history/historyPages';
import { dayOf } from '@/shared/format/days';
import { PERIODS } from '@/features/order/history/historyPeriod';
import { HISTORY_TYPES } from '@/features/order/orderApi';
import { type HistoryChoice, OrderHistory } from '@/features/order/history/OrderHistory';
import { showReceipt } from '@/features/order/history/receiptStore';
import { SeasonChoice } from '@/features/season/SeasonChoice';
import { useMemberSid } from '@/shared/api/session';
import { paths } from '@/shared/paths';
import { seasonOf } from '@/shared/season';
import { TopBar } from '@/shared/ui/TopBar';

/** The order history. The filter is in the address, so that back and reload preserve it. */
export default function OrderHistoryRoute() {
  const [search, setSearch] = useSearchParams();
  const memberSid = useMemberSid();
  if (memberSid === null) return null;
  const choice: HistoryChoice = {
    kind: HISTORY_KINDS.find((known) => known === search.get('tab')) ?? 'all',
    type: HISTORY_TYPES.find((known) => known === search.get('type')) ?? 'ALL',
    period: PERIODS.find((known) => known === search.get('period')) ?? 'month',
    from: dayOf(search.get('from')),
    to: dayOf(search.get('to')),
    season: seasonOf(search),
  };
  const show = ({ kind, from, to, season, ...rest }: HistoryChoice) =>
    setSearch({ tab: kind, ...rest, ...(season === null ? {} : { season: String(season) }), ...(from === null ? {} : { from }), ...(to === null ? {} : { to }) }, { replace: true });
  return (
    <>
      <TopBar title={historyCopy.screen} backTo={paths.my} />
      <main id="main">
        <OrderHistory
          memberSid={memberSid}
          choice={choice}
          onChoice={show}
          onReceipt={showReceipt}
          // Of a past season everything is shown at first: its last month may be long ago.
          seasons={<SeasonChoice memberSid={memberSid} season={choice.season} onChange={(season) => show({ ...choice, season, period: season === null ? 'month' : 'all' })} />}
        />
      </main>
    </>
  );
}
