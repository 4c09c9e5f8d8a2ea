import { useDeferredValue } from 'react';

/**
 * Whether data that came may be drawn. An answer's screenful of rows or charts would be one long piece of work, in which no tap
 * is heard; a moment later it is drawn in slices, with the skeleton in its place until then. What is there from the start is
 * drawn at once, and what changes later too.
 */
export function useArrived(data: unknown): boolean {
  return useDeferredValue(data !== undefined);
}
