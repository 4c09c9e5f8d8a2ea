import { useEffect } from 'react';

/** Calls `leave`, which stays the same function, when the screen is left and whenever the page is hidden. */
export function useOnLeave(leave: () => void): void {
  useEffect(() => {
    const stop = onPageHidden(leave);
    return () => {
      stop();
      leave();
    };
  }, [leave]);
}

/** Calls back whenever the page goes or is hidden, after which it may never run again. Returns the cleanup. */
export function onPageHidden(callBack: () => void): () => void {
  const onVisibility = () => {
    if (document.hidden) callBack();
  };
  window.addEventListener('pagehide', callBack);
  document.addEventListener('visibilitychange', onVisibility);
  return () => {
    window.removeEventListener('pagehide', callBack);
    document.removeEventListener('visibilitychange', onVisibility);
  };
}
