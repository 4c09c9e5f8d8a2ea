import { type ReactNode, useEffect, useRef, useState } from 'react';

/** The distance from the view at which loading begins. */
const NEAR = '300px';

/**
 * Renders its children once they come near the view, so that what is below the first screen costs its load nothing. Without an
 * observer they are rendered at once.
 */
export function WhenNear({ heightPx, children }: { heightPx: number; children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  const [isNear, setNear] = useState(() => !('IntersectionObserver' in window));
  useEffect(() => {
    if (isNear || !place.current) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setNear(true);
      },
      { rootMargin: NEAR },
    );
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [isNear]);
  return isNear ? children : <div ref={place} style={{ height: heightPx }} />;
}
