import { useEffect, useState } from 'react';
import { useConnectionStatus, useFillsStatus } from '@/shared/realtime/connection';
import { fillCopy } from './copy';
import styles from './FillStatus.module.css';

/** Signing in to the member's own channel takes a moment; that is no news. */
const SHOW_AFTER_MS = 3_000;

/** Says so while fills do not arrive by themselves, for a screen that follows orders and asks after them anyway. */
export function FillStatus() {
  const fills = useFillsStatus();
  const isConnected = useConnectionStatus() === 'live';
  return (
    <p role="status" className={styles.status}>
      {/* Without a connection at all the page says so elsewhere. */}
      {isConnected && fills === 'waiting' && <Late />}
    </p>
  );
}

function Late() {
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), SHOW_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return isShown ? fillCopy.late : null;
}
