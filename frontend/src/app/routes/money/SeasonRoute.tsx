import { seasonCopy } from '@/features/season/copy';
import { SeasonPage } from '@/features/season/SeasonPage';
import { moneyPaths, pastProfitHref } from '@/shared/moneyPaths';
import { paths } from '@/shared/paths';
import { ButtonLink } from '@/shared/ui/Button';
import { TopBar } from '@/shared/ui/TopBar';

export default function SeasonRoute({ memberSid }: { memberSid: number }) {
  return (
    <>
      <TopBar title={seasonCopy.screen} backTo={paths.account} />
      <main id="main">
        <SeasonPage
          memberSid={memberSid}
          shop={
            <ButtonLink to={moneyPaths.items} tone="neutral" size="large" block>
              {seasonCopy.seeTicket}
            </ButtonLink>
          }
          hrefOf={pastProfitHref}
        />
      </main>
    </>
  );
}
