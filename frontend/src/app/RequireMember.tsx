import { Fragment, type ReactNode } from 'react';
import { Navigate, useLocation } from 'react-router';
import { onSessionChange, useMemberSid } from '@/shared/api/session';
import { loginHref, paths } from '@/shared/paths';

let hasLoggedOut = false;
onSessionChange((memberSid, ended) => {
  hasLoggedOut = memberSid === null && ended === 'logout';
});

/** Called where a visitor has gone on to: from now on a member's screen that is asked for is come back to after the login. */
export function forgetLogout(): void {
  hasLoggedOut = false;
}

/**
 * Shows its children to a signed-in member and sends anybody else to the login screen, to come back afterwards. Whoever logs out
 * leaves nothing behind, not even where they were. Nothing that one member typed or was told is there for the next.
 */
export function RequireMember({ children }: { children: ReactNode }) {
  const memberSid = useMemberSid();
  const { pathname, search, key } = useLocation();
  if (memberSid !== null) return <Fragment key={memberSid}>{children}</Fragment>;
  // Keyed by the history entry: an overlay that closes at the same moment goes back once more, and that arrival must lead on, too.
  return <Navigate key={key} to={hasLoggedOut ? paths.login : loginHref(pathname + search)} replace />;
}
