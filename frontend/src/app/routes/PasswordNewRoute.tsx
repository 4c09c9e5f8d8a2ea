import { useEffect, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { newPasswordCopy } from '@/features/session/copy';
import { PASSWORD_IS_NEW } from '@/features/session/LoginForm';
import { NewPasswordForm } from '@/features/session/NewPasswordForm';
import { paths } from '@/shared/paths';
import { TopBar } from '@/shared/ui/TopBar';

/** The target of a mailed link. */
export default function PasswordNewRoute() {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const [token] = useState(() => search.get('token') ?? '');
  const isInAddress = search.has('token');
  // Whoever has the token can set the password, so it is removed from the address and the history.
  useEffect(() => {
    if (isInAddress) void navigate(paths.passwordNew, { replace: true });
  }, [isInAddress, navigate]);
  return (
    <>
      <TopBar title={newPasswordCopy.screen} backTo={paths.login} titleShown={false} />
      <main id="main">
        {/* A link works once, so its screen leaves the history with it. */}
        <NewPasswordForm token={token} onDone={() => void navigate(paths.login, { replace: true, state: PASSWORD_IS_NEW })} />
      </main>
    </>
  );
}
