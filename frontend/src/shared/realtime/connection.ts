import { create } from 'zustand';

/** Whether fills of the signed-in member arrive by themselves; `none` while nobody is signed in. */
export type FillsStatus = 'none' | 'waiting' | 'live';

export type ConnectionStatus = 'idle' | 'connecting' | 'live' | 'reconnecting' | 'lost';

interface ConnectionState {
  status: ConnectionStatus;
  /** Rises each time live prices start again; whoever keeps a history fetches what it missed. */
  resumes: number;
  /** When the last live price came, by the device's clock; null before the first. */
  lastTickAtMs: number | null;
  /** The server itself says that its prices are old. */
  isFeedStale: boolean;
  fills: FillsStatus;
  /** Which markets trade now, as the server last said. */
  openMarkets: Readonly<Record<string, boolean>>;
}

const useConnectionStore = create<ConnectionState>(() => ({
  status: 'idle',
  resumes: 0,
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

/** The socket says how a person's "connect again" is carried out. */
export function setReconnect(reconnect: () => void): void {
  retry = reconnect;
}

export function reconnect(): void {
  retry();
}

/** The places instruments trade at, as the server names them. */
export type Venue = 'KRX' | 'US' | 'COIN' | 'GOLD';

/** True when the server says that none of these venues trades now: silence is then no fault. */
export function useAreClosed(venues: readonly Venue[]): boolean {
  return useConnectionStore(({ openMarkets }) => venues.length > 0 && venues.every((venue) => openMarkets[venue] === false));
}

/** Calls back at once and on every change of the status. Returns the function that stops it. */
export function onConnectionStatus(listener: (status: ConnectionStatus) => void): () => void {
  listener(useConnectionStore.getState().status);
  return useConnectionStore.subscribe((state, previous) => {
    if (state.status !== previous.status) listener(state.status);
  });
}
