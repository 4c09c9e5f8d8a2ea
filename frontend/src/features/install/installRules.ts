import { isFocusScreen } from '@/shared/paths';

/** No further offer for three days after choosing the web. */
export const WEB_CHOICE_MS = 259_200_000;

const VERSION = 'v1';
const VERSION_KEY = 'app-install-version';
const WEB_CHOICE_KEY = 'app-install-web-at';
const SHOWN_KEY = 'app-install-shown';

interface InstallSituation {
  isWeb: boolean;
  /** Has traded or completed a lesson; others have no use for the app yet. */
  isActive: boolean;
  pathname: string;
  nowMs: number;
}

/** Whether the app may be offered now. */
export function mayOfferApp({ isWeb, isActive, pathname, nowMs }: InstallSituation): boolean {
  if (!isWeb || !isActive || isFocusScreen(pathname)) return false;
  forgetOlderVersion();
  if (read(sessionStorage, SHOWN_KEY) !== null) return false;
  const chosenAtMs = Number(read(localStorage, WEB_CHOICE_KEY) ?? Number.NaN);
  // A time in the future means that the clock was set back.
  const sinceMs = nowMs - chosenAtMs;
  return !(sinceMs >= 0 && sinceMs < WEB_CHOICE_MS);
}

export function rememberOffered(): void {
  write(sessionStorage, SHOWN_KEY, '1');
}

export function rememberWebChoice(nowMs: number): void {
  write(localStorage, WEB_CHOICE_KEY, String(nowMs));
}

function forgetOlderVersion(): void {
  if (read(localStorage, VERSION_KEY) === VERSION) return;
  try {
    localStorage.removeItem(WEB_CHOICE_KEY);
  } catch {
    return;
  }
  write(localStorage, VERSION_KEY, VERSION);
}

// Storage is unavailable: the offer then comes once per visit at most, because its host remembers, too.
function read(storage: Storage, key: string): string | null {
  try {
    return storage.getItem(key);
  } catch {
    return null;
  }
}

function write(storage: Storage, key: string, value: string): void {
  try {
    storage.setItem(key, value);
  } catch {
    // See above.
  }
}
