import { useSearchParams } from 'react-router';
import { SeasonChoice } from '@/features/season/SeasonChoice';
import { transferCopy, transferHistoryCopy } from '@/features/transfer/copy';
import { TransferHistory } from '@/features/transfer/TransferHistory';
import { moneyPaths } from '@/shared/moneyPaths';
import { paths } from '@/shared/paths';
import { seasonOf } from '@/shared/season';
import { ButtonLink } from '@/shared/ui/Button';
import { TopBar } from '@/shared/ui/TopBar';

export default function TransferHistoryRoute({ memberSid }: { memberSid: number }) {
  const [search, setSearch] = useSearchParams();
  const season = seasonOf(search);
  const choose = (next: number | null) => setSearch(next === null ? {} : { season: String(next) }, { replace: true });
  return (
    <>
      <TopBar title={transferHistoryCopy.screen} backTo={paths.account} />
      <main id="main">
        <TransferHistory
          memberSid={memberSid}
          season={season}
          seasons={<SeasonChoice memberSid={memberSid} season={season} onChange={choose} />}
          start={
            <ButtonLink to={moneyPaths.transfer} tone="neutral">
              {transferCopy.start}
            </ButtonLink>
          }
        />
      </main>
    </>
  );
}
