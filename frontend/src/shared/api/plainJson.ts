import { exactDigits } from './exactDigits';

/**
 * JSON whose numbers are plain decimals: `4e-7` is no amount to the server, `0.0000004` is. Quantities that a number does not keep
 * are written with the digits that they were read with.
 */
export function plainJson(value: unknown): string {
  return JSON.stringify(value).replace(STRING_OR_POWER_OR_DECIMAL, (token) => {
    if (token.startsWith('"')) return token;
    return token.includes('e') ? plainNumber(token) : exactDigits(token);
  });
}

// Whole strings are matched too, so that nothing within one is taken for a number.
const STRING_OR_POWER_OR_DECIMAL = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?e[+-]\d+|\d+\.\d+/g;

function plainNumber(number: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(number) ?? [];
  const digits = whole + fraction;
  const point = whole.length + Number(exponent);
  // A number is written with a power below 10^-6 and from 10^21 on, where it has no digits after the point.
  return point <= 0 ? `${sign}0.${'0'.repeat(-point)}${digits}` : sign + digits.padEnd(point, '0');
}
