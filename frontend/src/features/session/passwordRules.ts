import { joinCopy, loginCopy } from './copy';

const PASSWORD_MIN = 10;
const PASSWORD_MAX = 128;

/** Counts characters as a person would. */
function lengthOf(password: string): number {
  return [...password.normalize('NFC')].length;
}

/** The minimum length is the only rule for a new password. */
export function isLongEnough(password: string): boolean {
  return lengthOf(password) >= PASSWORD_MIN;
}

/** The error of a password; null when it is valid. */
export function passwordError(password: string): string | null {
  const length = lengthOf(password);
  if (length === 0) return loginCopy.passwordMissing;
  if (length < PASSWORD_MIN) return joinCopy.passwordShort(PASSWORD_MIN - length);
  return length > PASSWORD_MAX ? joinCopy.passwordLong : null;
}
