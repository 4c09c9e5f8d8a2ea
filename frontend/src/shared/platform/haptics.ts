import { preferences } from './preferences';

type HapticKind = 'selection' | 'success' | 'warning' | 'error';

const PATTERN_MS: Record<HapticKind, number | number[]> = { selection: 8, success: [12, 60, 12], warning: [20, 40, 20], error: [40, 50, 40] };

/** A short vibration, if supported and enabled. Never for ticks. */
export function haptic(kind: HapticKind): void {
  if (!preferences().haptics) return;
  if (nativeHaptic !== null && nativeHaptic(kind)) return;
  // A browser blocks it, with a console error, until the page was touched; a fill may arrive earlier.
  const { vibrate, userActivation } = navigator as { vibrate?: (pattern: number | number[]) => boolean; userActivation?: UserActivation };
  if (userActivation?.hasBeenActive === false) return;
  vibrate?.call(navigator, PATTERN_MS[kind]);
}

let nativeHaptic: ((kind: HapticKind) => boolean) | null = null;

/** A native shell vibrates better than the browser; the callback returns whether it did. */
export function setNativeHaptic(native: ((kind: HapticKind) => boolean) | null): void {
  nativeHaptic = native;
}
