import { Navigate, useLocation, useSearchParams } from 'react-router';
import { loginCopy } from '@/features/session/copy';
import { isPasswordNew, LoginForm } from '@/features/session/LoginForm';
import { LoginLinks } from '@/features/session/LoginLinks';
import { safeNext } from '@/features/session/safeNext';
import { useMemberSid } from '@/shared/api/session';
import { joinHref, paths } from '@/shared/paths';
import { TopBar } from '@/shared/ui/TopBar';

/** The login; leads to where it was requested, at once for a member. */
export default function LoginRoute() {
  const [search] = useSearchParams();
  const { state } = useLocation() as { state: unknown };
  const memberSid = useMemberSid();
  const next = search.get('next');
  if (memberSid !== null) return <Navigate to={safeNext(next, paths.home)} replace />;
  return (
    <>
      <TopBar title={loginCopy.screen} backTo={paths.invest} titleShown={false} />
      <main id="main">
        <LoginForm isPasswordNew={isPasswordNew(state)} />
        <LoginLinks joinTo={joinHref(next)} />
      </main>
    </>
  );
}
