import type { ReactNode } from 'react';
import { Navigate, useLocation } from 'react-router';
import { useMemberSid } from '@/shared/api/session';
import { loginHref } from '@/shared/paths';

/** Shows its children to a signed-in member and sends anybody else to the login screen, to come back afterwards. */
export function RequireMember({ children }: { children: ReactNode }) {
  const memberSid = useMemberSid();
  const { pathname, search } = useLocation();
  return memberSid === null ? <Navigate to={loginHref(pathname + search)} replace /> : children;
}
