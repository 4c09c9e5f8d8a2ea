import { dividendCopy } from '@/features/account/copy.dividend';
import { holdingsCopy } from '@/features/account/copy';
import { Dividends } from '@/features/account/Dividends';
import { useMemberSid } from '@/shared/api/session';
import { itemHref, paths } from '@/shared/paths';
import { lastInvestPath } from '@/shared/platform/lastInvestPath';
import { ButtonLink } from '@/shared/ui/Button';
import { TopBar } from '@/shared/ui/TopBar';

export default function DividendsRoute() {
  const memberSid = useMemberSid();
  if (memberSid === null) return null;
  return (
    <>
      <TopBar title={dividendCopy.screen} backTo={paths.holdings} />
      <main id="main">
        <Dividends
          memberSid={memberSid}
          hrefOf={itemHref}
          browse={
            <ButtonLink to={lastInvestPath()} tone="neutral">
              {holdingsCopy.browse}
            </ButtonLink>
          }
        />
      </main>
    </>
  );
}
