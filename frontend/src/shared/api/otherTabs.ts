import { CHANGED_KEY, syncSessionWithCookies } from './session';

/**
 * Follows other tabs: at once when they tell of a change, and whenever this one is come back to, because a page that was frozen is
 * told nothing. Returns the function that stops it.
 */
export function followOtherTabs(): () => void {
  // What happened before anybody followed.
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
