import { joinCopy, loginCopy } from './copy';

const PASSWORD_MIN = 10;
const PASSWORD_MAX = 128;

/** How many characters a person would count. */
function lengthOf(password: string): number {
  return [...password.normalize('NFC')].length;
}

/** True once a new password has enough characters; there is no other rule for it. */
export function isLongEnough(password: string): boolean {
  return lengthOf(password) >= PASSWORD_MIN;
}

/** What keeps a password from being taken, null when nothing does. */
export function passwordError(password: string): string | null {
  const length = lengthOf(password);
  if (length === 0) return loginCopy.passwordMissing;
  if (length < PASSWORD_MIN) return joinCopy.passwordShort(PASSWORD_MIN - length);
  return length > PASSWORD_MAX ? joinCopy.passwordLong : null;
}
