import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { isOverlayEntry } from '@/shared/ui/overlayHistory';

/**
 * Runs something once no overlay owns the history entry any more. A navigation then leaves or replaces the screen itself, and
 * not only the entry of the overlay that asked for it. `isFirst` tells that nothing of the app is behind the screen.
 */
export function useAfterOverlays(): (act: (isFirst: boolean) => void) => void {
  const location = useLocation();
  const { key } = location;
  const state: unknown = location.state;
  const [waiting, setWaiting] = useState<{ act: (isFirst: boolean) => void } | null>(null);
  useEffect(() => {
    if (waiting === null || isOverlayEntry(state)) return;
    setWaiting(null);
    waiting.act(key === 'default' || isFirstIndex(window.history.state));
  }, [waiting, state, key]);
  return (act) => setWaiting({ act });
}

function isFirstIndex(state: unknown): boolean {
  return typeof state === 'object' && state !== null && 'idx' in state && state.idx === 0;
}
