/** Preferences of this device, independent of the account. */
export interface Preferences {
  /** Hides balances and profits. */
  hideAmounts: boolean;
  /** How long short messages stay. */
  noticeSeconds: NoticeSeconds;
  haptics: boolean;
}

export const NOTICE_SECONDS = [2, 5, 10, 20] as const;
export type NoticeSeconds = (typeof NOTICE_SECONDS)[number];

export const PREFERENCES_KEY = 'preferences';
const DEFAULTS: Preferences = { hideAmounts: false, noticeSeconds: 2, haptics: true };

/** The stored preferences. Invalid values fall back to the defaults. */
export function storedPreferences(): Preferences {
  try {
    const stored = JSON.parse(localStorage.getItem(PREFERENCES_KEY) ?? '{}') as Record<string, unknown>;
    return {
      hideAmounts: stored.hideAmounts === true,
      noticeSeconds: NOTICE_SECONDS.find((seconds) => seconds === stored.noticeSeconds) ?? DEFAULTS.noticeSeconds,
      haptics: stored.haptics !== false,
    };
  } catch {
    return DEFAULTS;
  }
}
