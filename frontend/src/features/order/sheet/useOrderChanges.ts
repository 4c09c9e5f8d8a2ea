import { useState } from 'react';
import type { Order } from '@/shared/api/types';

/**
 * Follows the order that is being changed: it may fill, or be divided by a share split, while somebody decides. `onMove` is called
 * while rendering, before anything is shown of the new remainder. An order that is on its way is decided already, so nothing
 * moves meanwhile. Returns whether anything has moved.
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
