import { useDeferredValue } from 'react';

/**
 * Whether loaded data may be rendered. Rendering a screenful at once would block taps, so it is deferred and the skeleton stays
 * until then. Data present from the start is rendered at once, and so are later changes.
 */
export function useArrived(data: unknown): boolean {
  return useDeferredValue(data !== undefined);
}
