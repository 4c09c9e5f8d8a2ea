import { useState } from 'react';
import type { Order } from '@/shared/api/types';

/**
 * Follows the order being modified: it may fill, or change with a share split, while the member decides. `onMove` is called
 * during render, before the new remainder is shown. Changes are ignored while the modification is being sent. Returns whether
 * anything has changed.
 */
export function useOrderChanges(changed: Order | null, isSending: boolean, onMove: (before: Order, after: Order) => void): boolean {
  const [seen, setSeen] = useState(changed);
  const [hasMoved, setMoved] = useState(false);
  if (changed !== null && seen !== null && !isSending && isOther(seen, changed)) {
    setSeen(changed);
    setMoved(true);
    onMove(seen, changed);
  }
  return hasMoved;
}

function isOther(before: Order, after: Order): boolean {
  return before.remainQty !== after.remainQty || before.juPrc !== after.juPrc;
}
