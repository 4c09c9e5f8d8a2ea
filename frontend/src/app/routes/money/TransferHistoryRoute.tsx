import { transferCopy, transferHistoryCopy } from '@/features/transfer/copy';
import { TransferHistory } from '@/features/transfer/TransferHistory';
import { moneyPaths } from '@/shared/moneyPaths';
import { paths } from '@/shared/paths';
import { ButtonLink } from '@/shared/ui/Button';
import { TopBar } from '@/shared/ui/TopBar';

export default function TransferHistoryRoute({ memberSid }: { memberSid: number }) {
  return (
    <>
      <TopBar title={transferHistoryCopy.screen} backTo={paths.account} />
      <main id="main">
        <TransferHistory
          memberSid={memberSid}
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
