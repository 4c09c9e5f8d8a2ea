import { create } from 'zustand';
import { type Preferences, PREFERENCES_KEY, storedPreferences } from './storedPreferences';

export { NOTICE_SECONDS, type NoticeSeconds, type Preferences } from './storedPreferences';

const usePreferenceStore = create<Preferences>(storedPreferences);

/** The current preferences, outside React. */
export function preferences(): Preferences {
  return usePreferenceStore.getState();
}

export function usePreference<Key extends keyof Preferences>(key: Key): Preferences[Key] {
  return usePreferenceStore((state) => state[key]);
}

export function setPreference(change: Partial<Preferences>): void {
  usePreferenceStore.setState(change);
  try {
    localStorage.setItem(PREFERENCES_KEY, JSON.stringify(usePreferenceStore.getState()));
  } catch {
    // Storage is unavailable or full: the preference lasts until the page is closed.
  }
}
