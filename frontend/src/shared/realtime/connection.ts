import { create } from 'zustand';

/** Whether the member's fills are pushed; `none` while nobody is signed in. */
type FillsStatus = 'none' | 'waiting' | 'live';

export type ConnectionStatus = 'idle' | 'connecting' | 'live' | 'reconnecting' | 'lost';

interface ConnectionState {
  status: ConnectionStatus;
  /** Incremented each time live prices resume; histories then fetch what they missed. */
  resumes: number;
  /** When the connection began, by the device's clock; null before the first. */
  liveSinceMs: number | null;
  /** When the last tick arrived that was no snapshot, by the device's clock; null before the first. */
  lastTickAtMs: number | null;
  /** The server has reported its feed as stale. */
  isFeedStale: boolean;
  fills: FillsStatus;
  /** Which markets are open, as last reported. */
  openMarkets: Readonly<Record<string, boolean>>;
}

const useConnectionStore = create<ConnectionState>(() => ({
  status: 'idle',
  resumes: 0,
  liveSinceMs: null,
  lastTickAtMs: null,
  isFeedStale: false,
  fills: 'none',
  openMarkets: {},
}));

let retry: () => void = () => undefined;

export function useConnectionStatus(): ConnectionStatus {
  return useConnectionStore((state) => state.status);
}

export function useFillsStatus(): FillsStatus {
  return useConnectionStore((state) => state.fills);
}

export function useIsFeedStale(): boolean {
  return useConnectionStore((state) => state.isFeedStale);
}

export function useResumes(): number {
  return useConnectionStore((state) => state.resumes);
}

export function connectionState(): ConnectionState {
  return useConnectionStore.getState();
}

export function setConnection(change: Partial<ConnectionState>): void {
  useConnectionStore.setState(change);
}

/** Registers how a manual reconnect is carried out. */
export function setReconnect(reconnect: () => void): void {
  retry = reconnect;
}

export function reconnect(): void {
  retry();
}

/** Trading venues, as the server names them. */
export type Venue = 'KRX' | 'US' | 'COIN' | 'GOLD';

/** True when all venues are closed: missing ticks are then normal. */
export function useAllClosed(venues: readonly Venue[]): boolean {
  return useConnectionStore(({ openMarkets }) => venues.length > 0 && venues.every((venue) => openMarkets[venue] === false));
}

/** The closed ones among the venues, as last reported. */
export function useClosedVenues(venues: readonly Venue[]): readonly Venue[] {
  const closed = useConnectionStore(({ openMarkets }) => venues.filter((venue) => openMarkets[venue] === false).join());
  return venues.filter((venue) => closed.split(',').includes(venue));
}

/** Calls back at once and on every change. Returns the cleanup. */
export function onConnectionStatus(listener: (status: ConnectionStatus) => void): () => void {
  listener(useConnectionStore.getState().status);
  return useConnectionStore.subscribe((state, previous) => {
    if (state.status !== previous.status) listener(state.status);
  });
}
