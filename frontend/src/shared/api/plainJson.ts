import { exactDigits } from './exactDigits';

/**
 * JSON with plain decimal numbers: the server does not accept `4e-7`, only `0.0000004`. Quantities that a double cannot hold
 * keep their original digits.
 */
export function plainJson(value: unknown): string {
  return JSON.stringify(value).replace(STRING_OR_POWER_OR_DECIMAL, (token) => {
    if (token.startsWith('"')) return token;
    return token.includes('e') ? plainNumber(token) : exactDigits(token);
  });
}

// Whole strings are matched too, so that digits inside a string are skipped.
const STRING_OR_POWER_OR_DECIMAL = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?e[+-]\d+|\d+\.\d+/g;

function plainNumber(number: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(number) ?? [];
  const digits = whole + fraction;
  const point = whole.length + Number(exponent);
  // JavaScript uses exponents below 10^-6 and from 10^21 on.
  return point <= 0 ? `${sign}0.${'0'.repeat(-point)}${digits}` : sign + digits.padEnd(point, '0');
}
