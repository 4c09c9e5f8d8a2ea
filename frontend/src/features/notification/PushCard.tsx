import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import { queryKeys } from '@/shared/api/queryKeys';
import { state } from '@/shared/copy/copy.shared';
import { pushState, subscribeToPush, unsubscribeFromPush } from '@/shared/platform/push';
import { Button } from '@/shared/ui/Button';
import { showSnackbar } from '@/shared/ui/snackbarStore';
import { useIsOnline } from '@/shared/ui/States';
import { permissionCopy } from './copy.inbox';
import { BellIcon } from './icons';
import styles from './PushCard.module.css';

interface PushCardProps {
  memberSid: number;
  /** Also says why there are none where the browser refuses them, and turns them off where they are on. */
  isSetting?: boolean;
}

/** Offers pushes on this device where they are off. */
export function PushCard({ memberSid, isSetting = false }: PushCardProps) {
  const queryClient = useQueryClient();
  const queryKey = [...queryKeys.account(memberSid), 'push-state'];
  // The browser's own setting can change while the page is hidden.
  const { data: push } = useQuery({ queryKey, queryFn: pushState, staleTime: 0, networkMode: 'always' });
  const turn = useMutation({
    mutationFn: async (isOn: boolean) => {
      if (isOn) return subscribeToPush(memberSid);
      await unsubscribeFromPush(memberSid);
      return 'off' as const;
    },
    onSuccess: (reached, isOn) => {
      queryClient.setQueryData(queryKey, reached);
      if (reached === 'on') showSnackbar(permissionCopy.done);
      else if (!isOn) showSnackbar(permissionCopy.turnedOff);
    },
    onError: (_problem, isOn) => showSnackbar(isOn ? permissionCopy.failed : permissionCopy.turnOffFailed),
  });
  switch (push) {
    case 'off':
      return <Card title={permissionCopy.title} action={{ label: permissionCopy.action, isBusy: turn.isPending, onClick: () => turn.mutate(true) }} />;
    case 'on':
      return isSetting && <Card title={permissionCopy.on} action={{ label: permissionCopy.turnOff, isBusy: turn.isPending, onClick: () => turn.mutate(false) }} />;
    case 'blocked':
      return isSetting && <Card title={permissionCopy.blocked}>{permissionCopy.blockedBody}</Card>;
    case 'unsupported':
      return isSetting && <Card title={permissionCopy.unsupported}>{permissionCopy.unsupportedBody}</Card>;
    case undefined:
      return null;
  }
}

interface CardProps {
  title: string;
  action?: { label: string; isBusy: boolean; onClick: () => void };
  children?: ReactNode;
}

function Card({ title, action, children }: CardProps) {
  const isOnline = useIsOnline();
  const id = useId();
  return (
    <section className={styles.card} aria-labelledby={id}>
      <BellIcon />
      <h2 id={id} className={styles.title}>
        {title}
      </h2>
      {children && <p className={styles.body}>{children}</p>}
      {action && (
        <Button tone="tint" busy={action.isBusy} disabled={!isOnline} describedBy={isOnline ? undefined : `${id}-reason`} onClick={action.onClick}>
          {action.label}
        </Button>
      )}
      {action && !isOnline && (
        <p id={`${id}-reason`} className={styles.body}>
          {state.offlineBlocked}
        </p>
      )}
    </section>
  );
}
