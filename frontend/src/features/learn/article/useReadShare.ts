import { type RefObject, useEffect, useState } from 'react';

/** The share of an element that has been scrolled past the lower edge of the window, 0 to 1. */
export function useReadShare(ref: RefObject<HTMLElement | null>, onShare: (share: number) => void): number {
  const [share, setShare] = useState(0);
  useEffect(() => {
    let frame = 0;
    const measure = () => {
      frame = 0;
      const box = ref.current?.getBoundingClientRect();
      if (!box || box.height === 0) return;
      const next = Math.min(1, Math.max(0, (window.innerHeight - box.top) / box.height));
      setShare(next);
      onShare(next);
    };
    const onScroll = () => {
      if (frame === 0) frame = requestAnimationFrame(measure);
    };
    onScroll();
    window.addEventListener('scroll', onScroll, { passive: true });
    window.addEventListener('resize', onScroll);
    return () => {
      cancelAnimationFrame(frame);
      window.removeEventListener('scroll', onScroll);
      window.removeEventListener('resize', onScroll);
    };
    // Only arrival and scrolling measure.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [ref]);
  return share;
}
