import { useEffect, useState } from 'react';
import { useConnectionStatus, useFillsStatus } from '@/shared/realtime/connection';
import { fillCopy } from './copy';
import styles from './FillStatus.module.css';

/** Authenticating the member's channel takes a moment and is not worth a message. */
const SHOW_AFTER_MS = 3_000;

/** Says that fills are not pushed at the moment, on screens that follow orders and poll them instead. */
export function FillStatus() {
  const fills = useFillsStatus();
  const isConnected = useConnectionStatus() === 'live';
  return (
    <p role="status" className={styles.status}>
      {/* Without a connection the offline banner says so. */}
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
