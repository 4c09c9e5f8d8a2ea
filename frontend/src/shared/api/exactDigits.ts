const digitsByNumber = new Map<number, string>();

// Whole strings are matched too, so that digits inside a string are skipped.
const STRING_OR_DECIMAL = /"(?:[^"\\]|\\.)*"|\d+\.\d+/g;
const MAX_EXACT_DIGITS = 15;
const MAX_DECIMALS = 8;

/**
 * Records how long quantities are written, before the reply is parsed. A cheap coin may be held in quantities that doubles
 * cannot distinguish, such as 100,000,000.00000001 and …02; they are sent back with their original digits.
 */
export function recordDigits(json: string): void {
  for (const [token] of json.matchAll(STRING_OR_DECIMAL)) {
    if (!isLong(token)) continue;
    const known = digitsByNumber.get(Number(token));
    if (known === undefined || isLess(token, known)) digitsByNumber.set(Number(token), token);
  }
}

/**
 * The original digits of a number. If several quantities parse to the same number, the smallest: more than available would be
 * rejected, and the remainder can be sold afterwards.
 */
export function exactDigits(written: string): string {
  return isLong(written) ? (digitsByNumber.get(Number(written)) ?? written) : written;
}

function isLong(token: string): boolean {
  return !token.startsWith('"') && token.length > MAX_EXACT_DIGITS + 1 && token.length - token.indexOf('.') - 1 <= MAX_DECIMALS;
}

function isLess(one: string, other: string): boolean {
  const [whole = '', fraction = ''] = one.split('.');
  const [otherWhole = '', otherFraction = ''] = other.split('.');
  return whole === otherWhole ? fraction < otherFraction : Number(whole) < Number(otherWhole);
}
