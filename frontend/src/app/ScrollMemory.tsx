import { useLayoutEffect, useRef } from 'react';
import { NavigationType, useLocation, useNavigationType } from 'react-router';

const remembered = new Map<string, number>();

/** New screens start at the top; going back, or back to a tab, returns to where the screen was left. Overlays move nothing. */
export function ScrollMemory() {
  const location = useLocation();
  const how = useNavigationType();
  const screen = location.pathname + location.search;
  const previous = useRef({ screen, key: location.key });

  useLayoutEffect(() => {
    window.history.scrollRestoration = 'manual';
    const remember = () => {
      remembered.set(previous.current.screen + previous.current.key, window.scrollY);
      remembered.set(previous.current.screen, window.scrollY);
    };
    window.addEventListener('scroll', remember, { passive: true });
    return () => window.removeEventListener('scroll', remember);
  }, []);

  useLayoutEffect(() => {
    const hasChanged = previous.current.screen !== screen;
    previous.current = { screen, key: location.key };
    if (!hasChanged) return;
    const returns = how === NavigationType.Pop || (location.state as { keepsScroll?: boolean } | null)?.keepsScroll === true;
    const position = returns ? (remembered.get(screen + location.key) ?? remembered.get(screen) ?? 0) : 0;
    if (position === 0) {
      window.scrollTo(0, 0);
      return;
    }
    // The screen may need a moment until it is tall enough again.
    let tries = 0;
    let frame = requestAnimationFrame(function restore() {
      window.scrollTo(0, position);
      tries += 1;
      if (Math.abs(window.scrollY - position) > 1 && tries < 30) frame = requestAnimationFrame(restore);
    });
    return () => cancelAnimationFrame(frame);
  }, [screen, location.key, location.state, how]);

  return null;
}
