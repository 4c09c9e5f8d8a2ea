import { loadRuntimeConfig } from '@/shared/api/runtimeConfig';
import { onSessionChange } from '@/shared/api/session';
import { detectPlatform, type Platform } from '@/shared/platform/detectPlatform';
import { setConnection, setReconnect, type ConnectionStatus, onConnectionStatus } from '@/shared/realtime/connection';
import { clearEarlyFills } from '@/shared/realtime/fills';
import { tickStore } from '@/shared/realtime/tickStore';
import { fillCursors } from './fillCursors';
import { createMarketSocket, type MarketSocket } from './marketSocket';
import { startPolling } from './polling';
import { clearSiseToken, siseToken } from './siseToken';

/** Starts live prices for this tab. Returns the cleanup. */
export function startRealtime(): () => void {
  const stops: (() => void)[] = [pollWhileLost()];
  let isStopped = false;
  let isRunning = false;
  const start = async () => {
    const [config, platform] = await Promise.all([loadRuntimeConfig(), detectPlatform()]);
    if (isStopped || isRunning) return;
    if (config.siseOrigin === '' || platform === 'unknown') {
      // A page opened offline does not know the price service until it is online.
      if (config.siseOrigin === '') window.addEventListener('online', onOnline, { once: true });
      setReconnect(() => void start());
      setConnection({ status: 'lost' });
      return;
    }
    isRunning = true;
    stops.push(runSocket(config.siseOrigin, platform));
  };
  const onOnline = () => void start();
  void start();
  return () => {
    isStopped = true;
    window.removeEventListener('online', onOnline);
    for (const stop of stops) stop();
  };
}

function runSocket(siseOrigin: string, platform: Platform): () => void {
  const socket: MarketSocket = createMarketSocket({
    url: `${siseOrigin.replace(/^http/, 'ws')}/ws2`,
    store: tickStore,
    authToken: (isFresh) => siseToken(siseOrigin, isFresh),
    fillCursors,
  });
  setReconnect(socket.reconnect);
  // A native shell suspends hidden pages and leaves dead sockets behind; a browser tab keeps its own.
  const closesWhenHidden = platform !== 'web';
  const onWake = () => {
    if (!document.hidden && navigator.onLine) socket.resume();
    else if (document.hidden && closesWhenHidden) socket.pause();
  };
  // Some phones skip one of these after a long sleep.
  document.addEventListener('visibilitychange', onWake);
  for (const name of WAKE_EVENTS) window.addEventListener(name, onWake);
  // A socket does not notice a lost network; kept open, it would delay the reconnection.
  const onOffline = () => {
    socket.pause();
    setConnection({ status: 'reconnecting' });
  };
  window.addEventListener('offline', onOffline);
  const stopSession = onSessionChange(() => {
    clearSiseToken();
    clearEarlyFills();
    socket.changeMember();
  });
  if (!(closesWhenHidden && document.hidden)) socket.resume();
  return () => {
    document.removeEventListener('visibilitychange', onWake);
    for (const name of WAKE_EVENTS) window.removeEventListener(name, onWake);
    window.removeEventListener('offline', onOffline);
    stopSession();
    socket.stop();
  };
}

const WAKE_EVENTS = ['focus', 'pageshow', 'online'] as const;

function pollWhileLost(): () => void {
  let stopPolling: (() => void) | null = null;
  const follow = (status: ConnectionStatus) => {
    if (status === 'lost') stopPolling ??= startPolling(tickStore);
    else {
      stopPolling?.();
      stopPolling = null;
    }
  };
  const stopStatus = onConnectionStatus(follow);
  return () => {
    stopStatus();
    stopPolling?.();
  };
}
