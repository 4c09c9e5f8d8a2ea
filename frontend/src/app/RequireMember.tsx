import { Fragment, type ReactNode } from 'react';
import { Navigate, useLocation } from 'react-router';
import { onSessionChange, useMemberSid } from '@/shared/api/session';
import { loginHref, paths } from '@/shared/paths';

let hasLoggedOut = false;
onSessionChange((memberSid, ended) => {
  hasLoggedOut = memberSid === null && ended === 'logout';
});

/** Called when a visitor continues elsewhere: from now on the login returns to the requested screen again. */
export function forgetLogout(): void {
  hasLoggedOut = false;
}

/**
 * Renders its children for a member and redirects a visitor to the login, to return afterwards. After a logout it does not
 * return, and no state of one member is left for the next.
 */
export function RequireMember({ children }: { children: ReactNode }) {
  const memberSid = useMemberSid();
  const { pathname, search, key } = useLocation();
  if (memberSid !== null) return <Fragment key={memberSid}>{children}</Fragment>;
  // Keyed by the history entry: an overlay that closes at the same moment goes back once more, and that entry must redirect,
  // too.
  return <Navigate key={key} to={hasLoggedOut ? paths.login : loginHref(pathname + search)} replace />;
}
