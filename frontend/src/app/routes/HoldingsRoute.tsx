import { holdingsCopy } from '@/features/account/copy';
import { dividendCopy } from '@/features/account/copy.dividend';
import { Holdings } from '@/features/account/Holdings';
import { LinkRow } from '@/features/member/LinkGroup';
import { useMemberSid } from '@/shared/api/session';
import { itemHref, paths } from '@/shared/paths';
import { lastInvestPath } from '@/shared/platform/lastInvestPath';
import { ButtonLink } from '@/shared/ui/Button';
import { PriceStatus } from '@/shared/ui/PriceStatus';
import { TopBar } from '@/shared/ui/TopBar';

export default function HoldingsRoute() {
  const memberSid = useMemberSid();
  if (memberSid === null) return null;
  return (
    <>
      <TopBar title={holdingsCopy.screen} backTo={paths.my} actions={<PriceStatus />} />
      <main id="main">
        <Holdings
          memberSid={memberSid}
          hrefOf={itemHref}
          dividends={<LinkRow to={paths.dividends}>{dividendCopy.screen}</LinkRow>}
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
