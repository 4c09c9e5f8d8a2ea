const SECRET_PATH = /^\/password\//;
const LOOPBACK = /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/;

/**
 * The address at which a phone opens this screen; null when only this computer can. A secret address, such as a password reset
 * link, is replaced by the entry, because others may photograph the code.
 */
export function phoneAddress(href: string): string | null {
  const { origin, hostname, pathname } = new URL(href);
  if (LOOPBACK.test(hostname)) return null;
  return SECRET_PATH.test(pathname) ? `${origin}/` : href;
}
