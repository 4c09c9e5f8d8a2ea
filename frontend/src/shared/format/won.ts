import { isMissing, unitless } from './number';

/** Won with grouping and up to five decimals: `71,300원`, `0.12346원`. A missing value is `-`. */
export function won(value: number | null | undefined): string {
  return isMissing(value) ? '-' : `${unitless(value)}원`;
}

/** The number in a typed or pasted text: `71,300원` → 71300, null when there is none. */
export function parseWon(text: string): number | null {
  const plain = text.replace(/[,\s원]/g, '');
  return /^-?\d+(\.\d+)?$/.test(plain) ? Number(plain) : null;
}
