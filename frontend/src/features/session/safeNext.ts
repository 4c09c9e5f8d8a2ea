/**
 * Where to go after signing in: a path of this very site, or the fallback. Another origin, a protocol, or the sign-in
 * screens themselves are never followed, however the address is disguised.
 */
export function safeNext(next: string | null, fallback: string): string {
  if (next === null || !next.startsWith('/') || /[\\\u0000-\u001f]/.test(next)) return fallback;
  let target: URL;
  try {
    target = new URL(next, location.origin);
  } catch {
    return fallback;
  }
  if (target.origin !== location.origin || SIGN_IN_SCREENS.has(target.pathname)) return fallback;
  return target.pathname + target.search + target.hash;
}

const SIGN_IN_SCREENS: ReadonlySet<string> = new Set(['/login', '/join', '/']);
