import { useNavigate } from 'react-router';
import { profileCopy } from '@/features/member/copy';
import { ProfileEditor } from '@/features/member/ProfileEditor';
import { useMemberSid } from '@/shared/api/session';
import { paths } from '@/shared/paths';
import { TopBar } from '@/shared/ui/TopBar';

export default function SettingsProfileRoute() {
  const memberSid = useMemberSid();
  const navigate = useNavigate();
  if (memberSid === null) return null;
  return (
    <>
      <TopBar title={profileCopy.screen} backTo={paths.settings} />
      <main id="main">
        <ProfileEditor memberSid={memberSid} onDone={() => void navigate(paths.settings, { replace: true })} />
      </main>
    </>
  );
}
