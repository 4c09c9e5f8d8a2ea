import { type RefObject, useEffect, useRef } from 'react';

/** How far the indicator is pulled before letting go refreshes. */
const REFRESH_AT_PX = 64;
const MAX_PULL_PX = 88;
/** The indicator follows the finger more slowly, so that pulling feels like pulling. */
const FINGER_PX_PER_PULL_PX = 2;

/** Refreshes when the page is pulled down at its top. Put the ref on the indicator, which grows with the pull. */
export function usePullToRefresh(onRefresh: () => void): RefObject<HTMLDivElement | null> {
  const indicator = useRef<HTMLDivElement>(null);
  const refresh = useRef(onRefresh);
  useEffect(() => {
    refresh.current = onRefresh;
  });
  useEffect(() => {
    const root = document.documentElement;
    let fromY: number | null = null;
    let pulledPx = 0;
    const pull = (px: number) => {
      pulledPx = px;
      if (indicator.current) indicator.current.style.height = `${px}px`;
    };
    const onStart = ({ touches }: TouchEvent) => {
      const isAtTop = window.scrollY <= 0 && document.querySelector('dialog[open]') === null;
      fromY = isAtTop && touches.length === 1 ? (touches[0]?.clientY ?? null) : null;
    };
    const onMove = ({ touches }: TouchEvent) => {
      const y = touches[0]?.clientY;
      if (fromY !== null && y !== undefined) pull(Math.min(MAX_PULL_PX, Math.max(0, (y - fromY) / FINGER_PX_PER_PULL_PX)));
    };
    // Also when the system takes the gesture over: then nobody let go.
    const reset = () => {
      fromY = null;
      pull(0);
    };
    const onEnd = () => {
      if (fromY !== null && pulledPx >= REFRESH_AT_PX) refresh.current();
      reset();
    };
    // Otherwise the browser reloads the page at the same gesture.
    root.style.overscrollBehaviorY = 'contain';
    const passive = { passive: true };
    window.addEventListener('touchstart', onStart, passive);
    window.addEventListener('touchmove', onMove, passive);
    window.addEventListener('touchend', onEnd);
    window.addEventListener('touchcancel', reset);
    return () => {
      root.style.overscrollBehaviorY = '';
      window.removeEventListener('touchstart', onStart);
      window.removeEventListener('touchmove', onMove);
      window.removeEventListener('touchend', onEnd);
      window.removeEventListener('touchcancel', reset);
    };
  }, []);
  return indicator;
}
