export type Platform = 'ios' | 'android' | 'web' | 'unknown';

const ATTEMPTS = 3;
const ATTEMPT_GAP_MS = 1_000;

interface NativeTransports {
  ReactNativeWebView?: { postMessage: (message: string) => void };
  webkit?: { messageHandlers?: { app?: { postMessage: (message: object) => void } } };
  AppBridge?: { postMessage: (message: string) => void };
}

/** The native app named in the user agent, if any. */
export function claimedPlatform(userAgent: string): 'ios' | 'android' | null {
  const match = /InvestApp\/(ios|android)\//.exec(userAgent);
  return match ? (match[1] as 'ios' | 'android') : null;
}

/**
 * The shell the client runs in. A browser is known at once. In a native app the bridge is looked for three times, a second
 * apart; without it the platform is unknown.
 */
export async function detectPlatform(userAgent: string = navigator.userAgent): Promise<Platform> {
  const claimed = claimedPlatform(userAgent);
  if (claimed === null) return 'web';
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    if (hasBridge()) return claimed;
    if (attempt < ATTEMPTS) await new Promise((resolve) => setTimeout(resolve, ATTEMPT_GAP_MS));
  }
  return 'unknown';
}

function hasBridge(): boolean {
  const { ReactNativeWebView, webkit, AppBridge } = window as Window & NativeTransports;
  return Boolean(ReactNativeWebView ?? webkit?.messageHandlers?.app ?? AppBridge);
}
