const SECRET_PATH = /^\/password\//;
const LOOPBACK = /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/;

/**
 * The address under which a phone opens what is shown here; null where only this computer can. An address that is a secret, such
 * as the link of a forgotten password, is never shown for others to photograph: the product's front door stands for it.
 */
export function phoneAddress(href: string): string | null {
  const { origin, hostname, pathname } = new URL(href);
  if (LOOPBACK.test(hostname)) return null;
  return SECRET_PATH.test(pathname) ? `${origin}/` : href;
}
