import { useLayoutEffect, useRef } from 'react';
import { NavigationType, useLocation, useNavigationType } from 'react-router';

const positions = new Map<string, number>();

/** Starts new screens at the top and restores the position on back navigation and tab switches. Overlays do not scroll. */
export function ScrollRestoration() {
  const location = useLocation();
  const navigationType = useNavigationType();
  const screen = location.pathname + location.search;
  const previous = useRef({ screen, key: location.key });

  useLayoutEffect(() => {
    window.history.scrollRestoration = 'manual';
    const savePosition = () => {
      positions.set(previous.current.screen + previous.current.key, window.scrollY);
      positions.set(previous.current.screen, window.scrollY);
    };
    window.addEventListener('scroll', savePosition, { passive: true });
    return () => window.removeEventListener('scroll', savePosition);
  }, []);

  useLayoutEffect(() => {
    const hasChanged = previous.current.screen !== screen;
    previous.current = { screen, key: location.key };
    if (!hasChanged) return;
    const isReturning = navigationType === NavigationType.Pop || (location.state as { keepsScroll?: boolean } | null)?.keepsScroll === true;
    const position = isReturning ? (positions.get(screen + location.key) ?? positions.get(screen) ?? 0) : 0;
    if (position === 0) {
      window.scrollTo(0, 0);
      return;
    }
    // The screen may take a moment to reach its height.
    let attempts = 0;
    let frame = requestAnimationFrame(function restore() {
      window.scrollTo(0, position);
      attempts += 1;
      if (Math.abs(window.scrollY - position) > 1 && attempts < 30) frame = requestAnimationFrame(restore);
    });
    return () => cancelAnimationFrame(frame);
  }, [screen, location.key, location.state, navigationType]);

  return null;
}
