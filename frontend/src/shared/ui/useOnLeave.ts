import { useEffect } from 'react';

/** Calls `leave`, which stays the same function, when the screen is left and whenever the page is hidden. */
export function useOnLeave(leave: () => void): void {
  useEffect(() => {
    const onVisibility = () => {
      if (document.hidden) leave();
    };
    window.addEventListener('pagehide', leave);
    document.addEventListener('visibilitychange', onVisibility);
    return () => {
      window.removeEventListener('pagehide', leave);
      document.removeEventListener('visibilitychange', onVisibility);
      leave();
    };
  }, [leave]);
}
