import { useEffect } from 'react';
import { setConnection, setReconnect } from '@/shared/realtime/connection';

const LINGER_MS = 1_000;

let users = 0;
let stop: (() => void) | null = null;
let lingerTimer: ReturnType<typeof setTimeout> | undefined;

/** Keeps live prices connected while mounted. Remounting within a second reuses the connection. */
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

/** Live prices update rows that are already on the screen, so their code is loaded after the screen's. */
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
