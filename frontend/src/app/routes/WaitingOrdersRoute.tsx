import { useSearchParams } from 'react-router';
import { FillStatus } from '@/features/notification/FillStatus';
import { waitingCopy } from '@/features/order/copy';
import { WaitingOrders } from '@/features/order/waiting/WaitingOrders';
import { CATEGORIES } from '@/shared/api/assets';
import { useMemberSid } from '@/shared/api/session';
import { paths } from '@/shared/paths';
import { lastInvestPath } from '@/shared/platform/lastInvestPath';
import { ButtonLink } from '@/shared/ui/Button';
import { TopBar } from '@/shared/ui/TopBar';

export default function WaitingOrdersRoute() {
  const [search, setSearch] = useSearchParams();
  const memberSid = useMemberSid();
  const category = CATEGORIES.find((known) => known === search.get('tab')) ?? null;
  if (memberSid === null) return null;
  return (
    <>
      <TopBar title={waitingCopy.screen} backTo={paths.my} />
      <main id="main">
        <FillStatus />
        <WaitingOrders
          memberSid={memberSid}
          chosen={category}
          onCategory={(tab) => setSearch({ tab }, { replace: true })}
          browse={
            <ButtonLink to={lastInvestPath()} tone="neutral">
              {waitingCopy.browse}
            </ButtonLink>
          }
        />
      </main>
    </>
  );
}
