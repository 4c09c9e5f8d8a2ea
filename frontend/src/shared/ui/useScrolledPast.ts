import { type RefObject, useEffect, useRef, useState } from 'react';

/** Just below the top bar. */
const TOP_PX = 96;

/** True once an element has scrolled under the top bar. */
export function useScrolledPast(): { ref: RefObject<HTMLDivElement | null>; isPast: boolean } {
  const ref = useRef<HTMLDivElement>(null);
  const [isPast, setPast] = useState(false);
  useEffect(() => {
    const onScroll = () => setPast((ref.current?.getBoundingClientRect().bottom ?? TOP_PX) < TOP_PX);
    window.addEventListener('scroll', onScroll, { passive: true });
    return () => window.removeEventListener('scroll', onScroll);
  }, []);
  return { ref, isPast };
}
