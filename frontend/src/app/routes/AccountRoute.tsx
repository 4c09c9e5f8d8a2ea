import { Accounts } from '@/features/account/Accounts';
import { accountsCopy } from '@/features/account/copy';
import { useMemberSid } from '@/shared/api/session';
import { paths } from '@/shared/paths';
import { RtBadge } from '@/shared/ui/RtBadge';
import { TopBar } from '@/shared/ui/TopBar';

/** The member's accounts, card by card. */
export default function AccountRoute() {
  const memberSid = useMemberSid();
  if (memberSid === null) return null;
  return (
    <>
      <TopBar title={accountsCopy.screen} backTo={paths.my} actions={<span style={{ paddingRight: 12 }}><RtBadge /></span>} />
      <main id="main">
        <Accounts memberSid={memberSid} />
      </main>
    </>
  );
}
