import { create } from 'zustand';

/** Choices that belong to this device and to nobody's account. */
export interface Preferences {
  /** Balances and profits are drawn as dots. */
  hideAmounts: boolean;
  /** How long short messages stay. */
  noticeSeconds: NoticeSeconds;
  haptics: boolean;
}

export const NOTICE_SECONDS = [2, 5, 10, 20] as const;
export type NoticeSeconds = (typeof NOTICE_SECONDS)[number];

const STORAGE_KEY = 'preferences';
const DEFAULTS: Preferences = { hideAmounts: false, noticeSeconds: 2, haptics: true };

const usePreferenceStore = create<Preferences>(read);

/** The choices as of now, outside React. */
export function preferences(): Preferences {
  return usePreferenceStore.getState();
}

export function usePreference<Key extends keyof Preferences>(key: Key): Preferences[Key] {
  return usePreferenceStore((state) => state[key]);
}

export function setPreference(change: Partial<Preferences>): void {
  usePreferenceStore.setState(change);
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(usePreferenceStore.getState()));
  } catch {
    // Storage may be switched off or full; the choice then lasts until the page is closed.
  }
}

// What an older version or another hand wrote is taken only where it makes sense.
function read(): Preferences {
  try {
    const stored = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}') as Record<string, unknown>;
    return {
      hideAmounts: stored.hideAmounts === true,
      noticeSeconds: NOTICE_SECONDS.find((seconds) => seconds === stored.noticeSeconds) ?? DEFAULTS.noticeSeconds,
      haptics: stored.haptics !== false,
    };
  } catch {
    return DEFAULTS;
  }
}
