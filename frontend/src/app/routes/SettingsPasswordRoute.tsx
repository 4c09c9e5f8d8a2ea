import { useNavigate } from 'react-router';
import { ChangePasswordForm } from '@/features/session/ChangePasswordForm';
import { newPasswordCopy } from '@/features/session/copy';
import { useMemberSid } from '@/shared/api/session';
import { paths } from '@/shared/paths';
import { TopBar } from '@/shared/ui/TopBar';

export default function SettingsPasswordRoute() {
  const memberSid = useMemberSid();
  const navigate = useNavigate();
  if (memberSid === null) return null;
  return (
    <>
      <TopBar title={newPasswordCopy.changeScreen} backTo={paths.settings} />
      <main id="main">
        <ChangePasswordForm memberSid={memberSid} onDone={() => void navigate(paths.settings, { replace: true })} />
      </main>
    </>
  );
}
