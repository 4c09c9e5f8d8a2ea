import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { PriceAlert } from '@/shared/api/types';
import { Section } from '@/shared/ui/Section';
import { RowsSkeleton } from '@/shared/ui/Skeleton';
import { EmptyState, ErrorState } from '@/shared/ui/States';
import styles from './Alert.module.css';
import { alertsQuery } from './alertApi';
import { AlertRow } from './AlertRow';
import { useCommitOnLeave, useHiddenAlerts } from './alertRemoval';
import { alertCopy } from './copy';

const SKELETON_ROWS = 4;

/** All alerts of the member: those that wait, and those that fired. `browse` leads to instruments. */
export function AlertList({ memberSid, browse }: { memberSid: number; browse: ReactNode }) {
  const { data, error, fetchStatus, refetch } = useQuery(alertsQuery(memberSid));
  const hidden = useHiddenAlerts();
  useCommitOnLeave();
  if (!data) {
    if (error || fetchStatus === 'paused') return <ErrorState error={error} onRetry={() => void refetch()} />;
    return <RowsSkeleton rows={SKELETON_ROWS} />;
  }
  const isShown = ({ sid }: PriceAlert) => !hidden.has(sid);
  const active = data.active.filter(isShown);
  const fired = data.fired.filter(isShown);
  const rows = (alerts: readonly PriceAlert[]) => (
    <ul>
      {alerts.map((alert) => (
        <AlertRow key={alert.sid} memberSid={memberSid} alert={alert} named />
      ))}
    </ul>
  );
  return (
    <>
      {active.length === 0 ? (
        <EmptyState title={alertCopy.empty} body={alertCopy.howTo} action={browse} />
      ) : (
        <Section title={alertCopy.active}>
          <p className={styles.note}>{alertCopy.activeNote}</p>
          {rows(active)}
        </Section>
      )}
      {fired.length > 0 && (
        <Section title={alertCopy.fired}>
          <p className={styles.note}>{alertCopy.firedNote}</p>
          {rows(fired)}
        </Section>
      )}
    </>
  );
}
