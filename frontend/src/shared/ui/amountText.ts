import { unitless } from '@/shared/format/number';

/** What a keypad key does to the text of an amount. The text is plain: digits and at most one point, `''` when empty. */
export type KeypadKey = '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9' | '00' | '.' | 'backspace' | 'clear';

/** The most digits before the point that are accepted. */
const INTEGER_DIGITS = 12;

/** The text after a key press; unchanged when the key makes no sense there. */
export function pressKey(text: string, key: KeypadKey, decimals: number): string {
  switch (key) {
    case 'backspace':
      return text.slice(0, -1);
    case 'clear':
      return '';
    case '.':
      return decimals === 0 || text.includes('.') ? text : `${text || '0'}.`;
    default:
      return appendDigits(text, key, decimals);
  }
}

/** The number an amount's text means; 0 when empty. */
export function amountOf(text: string): number {
  return text === '' || text === '.' ? 0 : Number(text);
}

/** The text a number would have been typed as. */
export function textOfAmount(amount: number, decimals: number): string {
  return amount === 0 ? '' : amount.toFixed(decimals).replace(/\.?0+$/, (zeros) => (decimals === 0 ? zeros : ''));
}

/** The text as it is shown: grouped, with whatever stands behind the point as typed. */
export function groupedText(text: string): string {
  const [whole = '', fraction] = text.split('.');
  const grouped = whole === '' ? '' : unitless(Number(whole));
  return fraction === undefined ? grouped : `${grouped || '0'}.${fraction}`;
}

function appendDigits(text: string, digits: string, decimals: number): string {
  let next = text;
  for (const digit of digits) {
    const [whole = '', fraction] = next.split('.');
    if (fraction !== undefined) {
      if (fraction.length < decimals) next += digit;
    } else if (whole === '0') {
      next = digit;
    } else if (whole.length < INTEGER_DIGITS) {
      next += digit;
    }
  }
  return next === '00' ? '0' : next;
}
