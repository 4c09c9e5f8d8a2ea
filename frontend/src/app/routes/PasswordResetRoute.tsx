import { resetCopy } from '@/features/session/copy';
import { PasswordReset } from '@/features/session/PasswordReset';
import { paths } from '@/shared/paths';
import { TopBar } from '@/shared/ui/TopBar';

export default function PasswordResetRoute() {
  return (
    <>
      <TopBar title={resetCopy.screen} backTo={paths.login} titleShown={false} />
      <main id="main">
        <PasswordReset />
      </main>
    </>
  );
}
