/** A key of our number pad. `clear` is a long press on the delete key. */
export type KeypadKey = '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9' | '00' | '.' | 'back' | 'clear';

/**
 * The typed text. It keeps a trailing point and zeros ("0.50"), which a number would lose. A fresh entry was prefilled: the
 * next digit replaces it.
 */
export interface KeypadEntry {
  text: string;
  isFresh: boolean;
}

export interface KeypadRules {
  /** Decimals allowed; 0 means whole numbers. */
  decimals: number;
  /** Whole digits allowed; further digits are rejected. */
  maxWholeDigits: number;
}

export const EMPTY_ENTRY: KeypadEntry = { text: '', isFresh: false };

/** The first key replaces all of it. */
export function prefilled(value: number | null, decimals: number): KeypadEntry {
  return value === null ? EMPTY_ENTRY : { text: plainNumber(value, decimals), isFresh: true };
}

/** The entry after a key; the same object when the key is rejected, which makes the display shake. */
export function pressKey(entry: KeypadEntry, key: KeypadKey, rules: KeypadRules): KeypadEntry {
  switch (key) {
    case 'clear':
      return EMPTY_ENTRY;
    case 'back':
      return entry.isFresh ? EMPTY_ENTRY : { text: entry.text.slice(0, -1), isFresh: false };
    case '.':
      return pressPoint(entry, rules);
    case '0':
    case '1':
    case '2':
    case '3':
    case '4':
    case '5':
    case '6':
    case '7':
    case '8':
    case '9':
    case '00':
      return pressDigits(entry, key, rules);
  }
}

/** The typed number; null for none. */
export function entryValue(entry: KeypadEntry): number | null {
  return entry.text === '' ? null : Number(entry.text);
}

/** The typed text with thousands grouped: `1,234.50`, `0.`, empty for nothing. */
export function groupedEntry(entry: KeypadEntry): string {
  const [whole = '', fraction] = entry.text.split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

/** The pad's key of a hardware key; null for other keys. */
export function keyFromKeyboard(key: string): KeypadKey | null {
  if (/^[0-9]$/.test(key)) return key as KeypadKey;
  switch (key) {
    case '.':
    case ',':
      return '.';
    case 'Backspace':
      return 'back';
    case 'Delete':
      return 'clear';
    default:
      return null;
  }
}

function pressPoint(entry: KeypadEntry, { decimals }: KeypadRules): KeypadEntry {
  if (decimals === 0) return entry;
  if (entry.isFresh || entry.text === '') return { text: '0.', isFresh: false };
  return entry.text.includes('.') ? entry : { text: `${entry.text}.`, isFresh: false };
}

function pressDigits(entry: KeypadEntry, digits: string, rules: KeypadRules): KeypadEntry {
  const typed = entry.isFresh ? '' : entry.text;
  // Leading zeros are dropped: "0" then "5" is 5, and "00" first is 0.
  const text = typed === '' || typed === '0' ? digits.replace(/^0+(?=\d)/, '') : typed + digits;
  const [whole = '', fraction = ''] = text.split('.');
  const isTooLong = whole.length > rules.maxWholeDigits || fraction.length > rules.decimals;
  return isTooLong || (text === entry.text && !entry.isFresh) ? entry : { text, isFresh: false };
}

// `String(1e-7)` is "1e-7"; members read digits.
function plainNumber(value: number, decimals: number): string {
  const text = value.toFixed(decimals);
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}
