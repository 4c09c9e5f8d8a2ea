/**
 * Where to go after signing in: a path of this very site, or the fallback. Another origin, a protocol, or the sign-in
 * screens themselves are never followed, however the address is disguised.
 */
export function safeNext(next: string | null, fallback: string): string {
  if (next === null || !next.startsWith('/') || next.includes('\\') || hasControlCharacter(next)) return fallback;
  let target: URL;
  try {
    target = new URL(next, location.origin);
  } catch {
    return fallback;
  }
  // "/..//host" passes as ours and its path is then read as another host.
  if (target.origin !== location.origin || target.pathname.startsWith('//') || SIGN_IN_SCREENS.has(target.pathname)) return fallback;
  return target.pathname + target.search + target.hash;
}

const SIGN_IN_SCREENS: ReadonlySet<string> = new Set(['/login', '/join', '/']);

// Browsers drop tabs and line breaks inside an address, which turns "/\t/host" into "//host".
function hasControlCharacter(text: string): boolean {
  return [...text].some((character) => character < ' ');
}
