// The few shapes read before the first screen are checked by hand: the validator would be a part of every first load.

/** The fields of a JSON object; null for anything else. */
export function recordOf(value: unknown): Record<string, unknown> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null;
}

/** The text itself, or `fallback` for anything else. */
export function textOf(value: unknown, fallback = ''): string {
  return typeof value === 'string' ? value : fallback;
}
