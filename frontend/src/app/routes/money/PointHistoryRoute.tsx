import { pointCopy } from '@/features/point/copy';
import { PointHistory } from '@/features/point/PointHistory';
import { moneyPaths } from '@/shared/moneyPaths';
import { TopBar } from '@/shared/ui/TopBar';

export default function PointHistoryRoute({ memberSid }: { memberSid: number }) {
  return (
    <>
      <TopBar title={pointCopy.history} backTo={moneyPaths.pointTransfer} />
      <main id="main">
        <PointHistory memberSid={memberSid} />
      </main>
    </>
  );
}
