import { create } from 'zustand';

const useLastKnownStore = create<{ at: Date | null }>(() => ({ at: null }));

/** From when the oldest data on the screen is that was kept from an earlier visit; null while nothing of that kind is shown. */
export function useLastKnownAt(): Date | null {
  return useLastKnownStore((state) => state.at);
}

/** Says that kept data is shown, or with null that everything is live again. */
export function setLastKnownAt(at: Date | null): void {
  useLastKnownStore.setState({ at });
}
