import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useMaintenance } from '@/shared/api/maintenance';
import { refetchRuntimeConfig } from '@/shared/api/runtimeConfig';
import { state } from '@/shared/copy/copy.shared';
import { kstTime } from '@/shared/format/kst';
import { Button } from '@/shared/ui/Button';
import { announceScreen } from '@/shared/ui/screenAnnouncer';
import { systemCopy } from './copy';
import styles from './MaintenanceScreen.module.css';

const POLL_INTERVAL_MS = 30_000;

/** Replaces every screen during maintenance. Polls the config and is removed when it ends. */
export default function MaintenanceScreen() {
  const queryClient = useQueryClient();
  const until = useMaintenance()?.until ?? null;

  useEffect(() => {
    announceScreen(systemCopy.maintenance);
    const ask = () => {
      if (!document.hidden) void refetchRuntimeConfig();
    };
    // The reply that led here may lack the end time.
    ask();
    const timer = setInterval(ask, POLL_INTERVAL_MS);
    document.addEventListener('visibilitychange', ask);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', ask);
      // Queries that failed during maintenance are stale.
      void queryClient.invalidateQueries();
    };
  }, [queryClient]);

  return (
    <main id="main" className={styles.screen}>
      <div className={styles.message}>
        <img src="/icon.svg" alt="" width={72} height={72} />
        <h1 className={styles.title}>{systemCopy.maintenance}</h1>
        <p className={styles.body} role="status">
          {until ? systemCopy.opensAt(kstTime(until)) : state.errorBody}
        </p>
      </div>
      <Button tone="neutral" size="large" block onClick={() => void refetchRuntimeConfig()}>
        {state.retry}
      </Button>
    </main>
  );
}
