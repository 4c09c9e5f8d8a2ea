import { useEffect } from 'react';
import { startRealtime } from './startRealtime';

const LINGER_MS = 1_000;

let users = 0;
let stop: (() => void) | null = null;
let lingerTimer: ReturnType<typeof setTimeout> | undefined;

/** Keeps live prices going while mounted. Mounting twice or anew within a second still means one connection. */
export function RealtimeConnection() {
  useEffect(() => {
    clearTimeout(lingerTimer);
    users += 1;
    stop ??= startRealtime();
    return () => {
      users -= 1;
      lingerTimer = setTimeout(() => {
        if (users > 0) return;
        stop?.();
        stop = null;
      }, LINGER_MS);
    };
  }, []);
  return null;
}
