import { useQueryClient } from '@tanstack/react-query';
import { type ComponentType, lazy, Suspense, useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { queryKeys } from '@/shared/api/queryKeys';
import { onSessionChange } from '@/shared/api/session';
import { session } from '@/shared/copy/copy.shared';
import { loginHref } from '@/shared/paths';
import { showSnackbar } from '@/shared/ui/snackbarStore';
import { useWasOpened } from '@/shared/ui/useWasOpened';
import type { SessionEndDialogProps } from './SessionEndDialog';

const SessionEndDialog = lazy<ComponentType<SessionEndDialogProps>>(() =>
  import(/* webpackChunkName: "prompts" */ './SessionEndDialog').catch(() => ({ default: OnlyToldBriefly })),
);

/**
 * Drops the member's data when a session ends. After an expiry a member's screen redirects to the login; a public screen stays
 * and shows a dialog.
 */
export function SessionWatcher({ isPrivate }: { isPrivate: boolean }) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const [isExpiredOpen, setExpiredOpen] = useState(false);
  const wasExpiredOpened = useWasOpened(isExpiredOpen);

  useEffect(
    () =>
      onSessionChange((memberSid, ended) => {
        queryClient.removeQueries({ queryKey: queryKeys.accountAll });
        queryClient.removeQueries({ queryKey: queryKeys.learn });
        queryClient.removeQueries({ queryKey: queryKeys.community });
        if (memberSid !== null) setExpiredOpen(false);
        if (ended !== 'expired') return;
        if (!isPrivate) {
          setExpiredOpen(true);
          return;
        }
        void navigate(loginHref(pathname + search), { replace: true });
        showSnackbar(session.expired);
      }),
    [isPrivate, navigate, pathname, queryClient, search],
  );

  if (!wasExpiredOpened) return null;
  return (
    <Suspense fallback={null}>
      <SessionEndDialog open={isExpiredOpen} next={pathname + search} onClose={() => setExpiredOpen(false)} />
    </Suspense>
  );
}

/** Without the dialog, which could not be loaded. */
function OnlyToldBriefly({ open }: { open: boolean }) {
  useEffect(() => {
    if (open) showSnackbar(session.expired);
  }, [open]);
  return null;
}
