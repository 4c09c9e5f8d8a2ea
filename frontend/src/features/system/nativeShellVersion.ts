/** The native app in the user agent. */
interface NativeShellVersion {
  platform: 'ios' | 'android';
  /** Such as `1.12.3`. */
  version: string;
}

/** The native app in the user agent; null in a browser. */
export function nativeShellVersion(userAgent: string): NativeShellVersion | null {
  const match = /InvestApp\/(ios|android)\/(\d+(?:\.\d+)*)/.exec(userAgent);
  return match ? { platform: match[1] as NativeShellVersion['platform'], version: match[2] ?? '' } : null;
}

/** True when `version` is below `least`, compared by number; missing numbers count as zero. */
export function isOlder(version: string, least: string): boolean {
  const [own, wanted] = [numbersOf(version), numbersOf(least)];
  for (let place = 0; place < Math.max(own.length, wanted.length); place += 1) {
    const difference = (own[place] ?? 0) - (wanted[place] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}

function numbersOf(version: string): number[] {
  return version.split('.').map((part) => Number.parseInt(part, 10) || 0);
}
