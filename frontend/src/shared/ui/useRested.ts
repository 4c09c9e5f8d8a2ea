import { useEffect, useState } from 'react';

const REST_MS = 500;

/**
 * Whether what `isShown` says has been there for half a second. A button that appears under the finger that made it appear must
 * not take that finger's second tap. `question` is what a tap would answer: another one is new again.
 */
export function useRested(isShown: boolean, question?: number | null): boolean {
  const [isRested, setRested] = useState(false);
  useEffect(() => {
    if (!isShown) return undefined;
    const timer = setTimeout(() => setRested(true), REST_MS);
    return () => {
      clearTimeout(timer);
      setRested(false);
    };
  }, [isShown, question]);
  return isShown && isRested;
}
