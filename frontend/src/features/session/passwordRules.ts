import { joinCopy, loginCopy } from './copy';
import { holdsAddress, isGuessable } from './guessable';

const PASSWORD_MIN = 10;
const PASSWORD_MAX = 128;

/** Counts characters as a person would. */
function lengthOf(password: string): number {
  return [...password.normalize('NFC')].length;
}

export function isLongEnough(password: string): boolean {
  return lengthOf(password) >= PASSWORD_MIN;
}

/** The error of a new password of the member with this address; null when it is valid here. The server also knows common words. */
export function passwordError(password: string, email = ''): string | null {
  const length = lengthOf(password);
  if (length === 0) return loginCopy.passwordMissing;
  if (length < PASSWORD_MIN) return joinCopy.passwordShort(PASSWORD_MIN - length);
  if (length > PASSWORD_MAX) return joinCopy.passwordLong;
  if (holdsAddress(password, email)) return joinCopy.passwordPersonal;
  return isGuessable(password) ? joinCopy.passwordGuessable : null;
}
