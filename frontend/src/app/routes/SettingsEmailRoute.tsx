import { emailCopy } from '@/features/member/copy';
import { EmailVerification } from '@/features/member/EmailVerification';
import { useMemberSid } from '@/shared/api/session';
import { paths } from '@/shared/paths';
import { TopBar } from '@/shared/ui/TopBar';

export default function SettingsEmailRoute() {
  const memberSid = useMemberSid();
  if (memberSid === null) return null;
  return (
    <>
      <TopBar title={emailCopy.screen} backTo={paths.settings} />
      <main id="main">
        <EmailVerification memberSid={memberSid} />
      </main>
    </>
  );
}
