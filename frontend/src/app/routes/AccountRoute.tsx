import { Accounts } from '@/features/account/Accounts';
import { accountsCopy } from '@/features/account/copy';
import { useMemberSid } from '@/shared/api/session';
import { paths } from '@/shared/paths';
import { PriceStatus } from '@/shared/ui/PriceStatus';
import { TopBar } from '@/shared/ui/TopBar';

/** The member's accounts, card by card. */
export default function AccountRoute() {
  const memberSid = useMemberSid();
  if (memberSid === null) return null;
  return (
    <>
      <TopBar title={accountsCopy.screen} backTo={paths.my} actions={<PriceStatus />} />
      <main id="main">
        <Accounts memberSid={memberSid} />
      </main>
    </>
  );
}
