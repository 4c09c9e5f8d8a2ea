import { useEffect } from 'react';
import { setConnection, setReconnect } from '@/shared/realtime/connection';

const LINGER_MS = 1_000;

let users = 0;
let stop: (() => void) | null = null;
let lingerTimer: ReturnType<typeof setTimeout> | undefined;

/** Keeps live prices going while mounted. Mounting twice or anew within a second still means one connection. */
export function RealtimeConnection() {
  useEffect(() => {
    clearTimeout(lingerTimer);
    users += 1;
    stop ??= startWhenLoaded();
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

/** The socket is of use to prices that are on the screen already, so its code comes after the screen's. */
function startWhenLoaded(): () => void {
  let isStopped = false;
  let stopRunning: (() => void) | undefined;
  const load = () => {
    window.removeEventListener('online', load);
    import(/* webpackChunkName: "realtime" */ './startRealtime').then(
      ({ startRealtime }) => {
        if (!isStopped) stopRunning = startRealtime();
      },
      () => {
        if (isStopped) return;
        window.addEventListener('online', load, { once: true });
        setReconnect(load);
        setConnection({ status: 'lost' });
      },
    );
  };
  load();
  return () => {
    isStopped = true;
    window.removeEventListener('online', load);
    stopRunning?.();
  };
}
