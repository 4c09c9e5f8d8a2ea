import { useEffect, useState } from 'react';
import { realtime } from '@/shared/copy/copy.shared';
import { connectionState, reconnect, useAllClosed, useConnectionStatus, useIsFeedStale, type Venue } from '@/shared/realtime/connection';
import { useIsOnline } from './States';
import styles from './States.module.css';

const STALE_MS = 60_000;
const CHECK_MS = 5_000;

/**
 * Whether prices are live. Hidden until the first connection, so that nothing flickers at the start. With `venues` it covers
 * only those: while all of them are closed it says so, because closed is not stale.
 */
export function LiveBadge({ venues = NO_VENUES }: { venues?: readonly Venue[] }) {
  const status = useConnectionStatus();
  const isOnline = useIsOnline();
  const allClosed = useAllClosed(venues);
  const isSilent = useIsSilent();
  const isStale = useIsFeedStale() || isSilent;
  if (status === 'idle') return null;
  // Offline, a manual reconnect is pointless, and the socket may not have noticed yet.
  if (status === 'lost' && isOnline) {
    return (
      <span className={styles.badge} role="status">
        {realtime.lost}
        <button type="button" className={styles.reconnect} onClick={reconnect}>
          {realtime.reconnect}
        </button>
      </span>
    );
  }
  if (status === 'reconnecting' || !isOnline) {
    return (
      <span className={styles.badge} role="status">
        <span className={styles.dot} aria-hidden="true" />
        {realtime.reconnecting}
      </span>
    );
  }
  if (status === 'live' && allClosed) return <span className={styles.badge}>{realtime.closed}</span>;
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

const NO_VENUES: readonly Venue[] = [];

function useIsSilent(): boolean {
  const [isSilent, setSilent] = useState(isSilentNow);
  useEffect(() => {
    const timer = setInterval(() => setSilent(isSilentNow()), CHECK_MS);
    return () => clearInterval(timer);
  }, []);
  return isSilent;
}

function isSilentNow(): boolean {
  const { liveSinceMs, lastTickAtMs } = connectionState();
  const freshAtMs = Math.max(liveSinceMs ?? 0, lastTickAtMs ?? 0);
  return freshAtMs > 0 && Date.now() - freshAtMs > STALE_MS;
}
