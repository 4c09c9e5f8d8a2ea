import { useEffect, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { newPasswordCopy } from '@/features/session/copy';
import { NewPasswordForm } from '@/features/session/NewPasswordForm';
import { paths } from '@/shared/paths';
import { TopBar } from '@/shared/ui/TopBar';

/** Where a mailed link leads. */
export default function PasswordNewRoute() {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const [token] = useState(() => search.get('token') ?? '');
  const isInAddress = search.has('token');
  // Whoever holds the token may set the password: it stays neither in the address bar nor in the history.
  useEffect(() => {
    if (isInAddress) void navigate(paths.passwordNew, { replace: true });
  }, [isInAddress, navigate]);
  return (
    <>
      <TopBar title={newPasswordCopy.screen} backTo={paths.login} titleShown={false} />
      <main id="main">
        <NewPasswordForm token={token} />
      </main>
    </>
  );
}
