import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { queryKeys } from '@/shared/api/queryKeys';
import { onSessionChange } from '@/shared/api/session';
import { session } from '@/shared/copy/copy.shared';
import { loginHref } from '@/shared/paths';
import { Dialog } from '@/shared/ui/Dialog';
import { useNavigateFromOverlay } from '@/shared/ui/overlayHistory';
import { showSnackbar } from '@/shared/ui/snackbarStore';

/**
 * Drops the member's data when a session ends. After an expiry a member's screen redirects to the login; a public screen stays
 * and shows a dialog.
 */
export function SessionWatcher({ isPrivate }: { isPrivate: boolean }) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const navigateFromDialog = useNavigateFromOverlay();
  const { pathname, search } = useLocation();
  const [isExpiredOpen, setExpiredOpen] = useState(false);

  useEffect(
    () =>
      onSessionChange((memberSid, ended) => {
        queryClient.removeQueries({ queryKey: queryKeys.accountAll });
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

  return (
    <Dialog
      open={isExpiredOpen}
      title={session.ended}
      body={session.endedBody}
      onClose={() => setExpiredOpen(false)}
      confirm={{
        label: session.loginAgain,
        onClick: () => {
          setExpiredOpen(false);
          navigateFromDialog(loginHref(pathname + search));
        },
      }}
    />
  );
}
