import { useCallback, useEffect, useRef, useState } from 'react';

/** Counts elements just beyond the edge as seen, so that their content is there in time. */
const MARGIN_PX = 48;

/** Which elements have been in view, by key. Put `refOf(key)` on each; without an observer all count as seen. */
export function useSeen(keys: readonly string[]): { isSeen: (key: string) => boolean; refOf: (key: string) => (element: Element | null) => void } {
  const canObserve = typeof IntersectionObserver !== 'undefined';
  const [seen, setSeen] = useState<ReadonlySet<string>>(() => new Set(canObserve ? [] : keys));
  const elements = useRef(new Map<string, Element>());
  const hasAll = keys.every((key) => seen.has(key));

  useEffect(() => {
    if (hasAll) return;
    const observer = new IntersectionObserver(
      (entries) => {
        const inView = new Set(entries.filter(({ isIntersecting }) => isIntersecting).map(({ target }) => target));
        const found = [...elements.current].filter(([, element]) => inView.has(element)).map(([key]) => key);
        if (found.length > 0) setSeen((before) => new Set([...before, ...found]));
      },
      { rootMargin: `${MARGIN_PX}px` },
    );
    for (const element of elements.current.values()) observer.observe(element);
    return () => observer.disconnect();
  }, [hasAll]);

  const isSeen = useCallback((key: string) => seen.has(key), [seen]);
  const refOf = useCallback(
    (key: string) => (element: Element | null) => {
      if (element) elements.current.set(key, element);
      else elements.current.delete(key);
    },
    [],
  );
  return { isSeen, refOf };
}
