import { useEffect, useState } from 'react';
import { realtime } from '@/shared/copy/copy.shared';
import { connectionState, reconnect, useConnectionStatus, useIsFeedStale } from '@/shared/realtime/connection';
import styles from './States.module.css';

const STALE_MS = 60_000;
const CHECK_MS = 5_000;

/** Whether prices are live right now. Silent until the first connection is made, so nothing flickers at start. */
export function RtBadge() {
  const status = useConnectionStatus();
  const isSilent = useIsSilent();
  const isStale = useIsFeedStale() || isSilent;
  if (status === 'lost') {
    return (
      <span className={styles.badge} role="status">
        {realtime.lost}
        <button type="button" className={styles.reconnect} onClick={reconnect}>
          {realtime.reconnect}
        </button>
      </span>
    );
  }
  if (status === 'reconnecting') {
    return (
      <span className={styles.badge} role="status">
        <span className={styles.dot} aria-hidden="true" />
        {realtime.reconnecting}
      </span>
    );
  }
  if (status === 'live' && !isStale) {
    return (
      <span className={styles.badge}>
        <span className={styles.dot} data-live="" aria-hidden="true" />
        {realtime.live}
      </span>
    );
  }
  return null;
}

function useIsSilent(): boolean {
  const [isSilent, setSilent] = useState(false);
  useEffect(() => {
    const timer = setInterval(() => {
      const { lastTickAtMs } = connectionState();
      setSilent(lastTickAtMs !== null && Date.now() - lastTickAtMs > STALE_MS);
    }, CHECK_MS);
    return () => clearInterval(timer);
  }, []);
  return isSilent;
}
