import { preferences } from './preferences';

export type HapticKind = 'selection' | 'success' | 'warning' | 'error';

const PATTERN_MS: Record<HapticKind, number | number[]> = { selection: 8, success: [12, 60, 12], warning: [20, 40, 20], error: [40, 50, 40] };

/** A short vibration where the device can and the person wants it. Never for price ticks. */
export function haptic(kind: HapticKind): void {
  if (!preferences().haptics) return;
  const { vibrate } = navigator as { vibrate?: (pattern: number | number[]) => boolean };
  vibrate?.call(navigator, PATTERN_MS[kind]);
}
