const digitsByNumber = new Map<number, string>();

// Whole strings are matched too, so that nothing within one is taken for a number.
const STRING_OR_DECIMAL = /"(?:[^"\\]|\\.)*"|\d+\.\d+/g;
const MAX_EXACT_DIGITS = 15;
const MAX_DECIMALS = 8;

/**
 * Learns how the long quantities of an answer are written, before it is parsed. A cheap coin may be held in quantities that a
 * number does not tell apart, 100,000,000.00000001 and …02: they are sent back as they came, so that all of it can be sold and a
 * waiting order is changed by the remainder that it has.
 */
export function recordDigits(json: string): void {
  for (const [token] of json.matchAll(STRING_OR_DECIMAL)) {
    if (!isLong(token)) continue;
    const known = digitsByNumber.get(Number(token));
    if (known === undefined || isLess(token, known)) digitsByNumber.set(Number(token), token);
  }
}

/**
 * A number as it was read. Where several were read that are one and the same number it is the least of them: what is left is then
 * read alone and can follow, and more than there is would be refused.
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
