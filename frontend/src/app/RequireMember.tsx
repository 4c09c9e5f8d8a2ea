import type { ReactNode } from 'react';
import { Navigate, useLocation } from 'react-router';
import { useMemberSid } from '@/shared/api/session';
import { loginHref } from '@/shared/paths';

/** Shows its children to a signed-in member and sends anybody else to the login screen, to come back afterwards. */
export function RequireMember({ children }: { children: ReactNode }) {
  const memberSid = useMemberSid();
  const { pathname, search, key } = useLocation();
  // Keyed by the history entry: an overlay that closes at the same moment goes back once more, and that arrival must lead on, too.
  return memberSid === null ? <Navigate key={key} to={loginHref(pathname + search)} replace /> : children;
}
