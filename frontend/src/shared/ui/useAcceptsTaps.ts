import { useEffect, useState } from 'react';

const REST_MS = 500;

/**
 * Whether what `isShown` says has been there for half a second. A button that appears under the finger that made it appear must
 * not take that finger's second tap. `question` is what a tap would answer: another one is new again.
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
