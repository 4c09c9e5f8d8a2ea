import { create } from 'zustand';

const useLastKnownStore = create<{ at: Date | null }>(() => ({ at: null }));

/** The time of the oldest restored data on the screen; null when there is none. */
export function useLastKnownAt(): Date | null {
  return useLastKnownStore((state) => state.at);
}

/** Marks restored data as shown; null when everything is live again. */
export function setLastKnownAt(at: Date | null): void {
  useLastKnownStore.setState({ at });
}
