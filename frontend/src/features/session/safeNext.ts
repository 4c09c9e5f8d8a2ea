/**
 * The path to open after signing in, or the fallback. Only a path of this site is followed: no other origin or protocol,
 * however disguised, and none of the sign-in screens.
 */
export function safeNext(next: string | null, fallback: string): string {
  if (next === null || !next.startsWith('/') || next.includes('\\') || hasControlCharacter(next)) return fallback;
  let target: URL;
  try {
    target = new URL(next, location.origin);
  } catch {
    return fallback;
  }
  // "/..//host" passes as our origin, but its path would then be read as another host.
  if (target.origin !== location.origin || target.pathname.startsWith('//') || SIGN_IN_SCREENS.has(target.pathname)) return fallback;
  return target.pathname + target.search + target.hash;
}

const SIGN_IN_SCREENS: ReadonlySet<string> = new Set(['/login', '/join', '/']);

// Browsers drop tabs and line breaks in an address, which turns "/\t/host" into "//host".
function hasControlCharacter(text: string): boolean {
  return [...text].some((character) => character < ' ');
}
