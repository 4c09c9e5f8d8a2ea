import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { queryKeys } from '@/shared/api/queryKeys';
import { onSessionChange, syncSessionWithCookies } from '@/shared/api/session';
import { session } from '@/shared/copy/copy.shared';
import { loginHref } from '@/shared/paths';
import { showSnackbar } from '@/shared/ui/snackbarStore';

/** Drops what belonged to the member when a session ends, and explains an expiry on the login screen. */
export function SessionWatcher() {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const { pathname, search } = useLocation();

  useEffect(
    () =>
      onSessionChange((_memberSid, ended) => {
        queryClient.removeQueries({ queryKey: queryKeys.accountAll });
        if (ended !== 'expired') return;
        void navigate(loginHref(pathname + search), { replace: true });
        showSnackbar(session.expired);
      }),
    [navigate, pathname, queryClient, search],
  );

  useEffect(() => {
    const onVisible = () => {
      if (!document.hidden) syncSessionWithCookies();
    };
    document.addEventListener('visibilitychange', onVisible);
    return () => document.removeEventListener('visibilitychange', onVisible);
  }, []);

  return null;
}
