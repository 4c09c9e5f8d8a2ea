import { Navigate, useSearchParams } from 'react-router';
import { loginCopy } from '@/features/session/copy';
import { LoginForm } from '@/features/session/LoginForm';
import { LoginLinks } from '@/features/session/LoginLinks';
import { safeNext } from '@/features/session/safeNext';
import { useMemberSid } from '@/shared/api/session';
import { joinHref, paths } from '@/shared/paths';
import { TopBar } from '@/shared/ui/TopBar';

/** Signing in, and on to where it was asked for. Whoever is signed in already goes there at once. */
export default function LoginRoute() {
  const [search] = useSearchParams();
  const memberSid = useMemberSid();
  const next = search.get('next');
  if (memberSid !== null) return <Navigate to={safeNext(next, paths.home)} replace />;
  return (
    <>
      <TopBar title={loginCopy.screen} backTo={paths.invest} titleShown={false} />
      <main id="main">
        <LoginForm />
        <LoginLinks joinTo={joinHref(next)} />
      </main>
    </>
  );
}
