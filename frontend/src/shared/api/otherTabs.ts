import { CHANGED_KEY, syncSessionWithCookies } from './session';

/**
 * Follows session changes of other tabs: at once through storage events, and when this tab becomes visible, because a frozen
 * page gets no events. Returns the cleanup.
 */
export function followOtherTabs(): () => void {
  // Changes from before this call.
  syncSessionWithCookies();
  const onReturn = () => {
    if (!document.hidden) syncSessionWithCookies();
  };
  const onStorage = ({ key }: StorageEvent) => {
    if (key === CHANGED_KEY) syncSessionWithCookies();
  };
  document.addEventListener('visibilitychange', onReturn);
  window.addEventListener('focus', onReturn);
  window.addEventListener('pageshow', onReturn);
  window.addEventListener('storage', onStorage);
  return () => {
    document.removeEventListener('visibilitychange', onReturn);
    window.removeEventListener('focus', onReturn);
    window.removeEventListener('pageshow', onReturn);
    window.removeEventListener('storage', onStorage);
  };
}
