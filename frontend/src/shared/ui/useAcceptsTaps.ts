import { useEffect, useState } from 'react';

const REST_MS = 500;

/**
 * False for half a second after `isShown`, so that a button that appears under a finger does not take a double tap. Another
 * `question` starts over.
 */
export function useAcceptsTaps(isShown: boolean, question?: number | null): boolean {
  const [acceptsTaps, setAcceptsTaps] = useState(false);
  useEffect(() => {
    if (!isShown) return undefined;
    const timer = setTimeout(() => setAcceptsTaps(true), REST_MS);
    return () => {
      clearTimeout(timer);
      setAcceptsTaps(false);
    };
  }, [isShown, question]);
  return isShown && acceptsTaps;
}
