import { isMissing, withoutNegativeZero } from './number';

// Created once: creating one costs a hundred times its use, and every tick uses it.
const HUNDREDTHS = new Intl.NumberFormat('ko-KR', { maximumFractionDigits: 2 });

/** A percentage with two decimals at most, trailing zeros removed: `1.5%`, `-0.32%`, `0%`. */
export function pct(value: number | null | undefined): string {
  return isMissing(value) ? '-' : `${rounded(value)}%`;
}

/** The unsigned size of a change whose direction an arrow shows: `1.5%` for a fall too. */
export function unsignedPct(value: number | null | undefined): string {
  return isMissing(value) ? '-' : `${rounded(Math.abs(value))}%`;
}

/**
 * The size of a gain next to its amount. A gain above zero never reads as 0 %, which would contradict the amount and its arrow;
 * it is `0.01% 미만`.
 */
export function gainPct(value: number | null | undefined): string {
  return !isMissing(value) && value !== 0 && shownPct(value) === 0 ? `${rounded(0.01)}% 미만` : unsignedPct(value);
}

/** With a plus above zero, for comparisons without an arrow, such as `괴리율 +0.5%`. */
export function signedPct(value: number | null | undefined): string {
  if (isMissing(value)) return '-';
  const text = rounded(value);
  return `${text === '0' || text.startsWith('-') ? '' : '+'}${text}%`;
}

/** A percentage rounded as shown, for what depends on the shown figure, such as its tone: 0.004 % reads as 0 % and is flat. */
export function shownPct(value: number | null | undefined): number | null {
  if (isMissing(value)) return null;
  const size = hundredths(value);
  return value < 0 && size > 0 ? -size : size;
}

/** Change against a reference in percent; null without a reference. All changes are computed here. */
export function changePct(price: number, reference: number | null | undefined): number | null {
  if (isMissing(reference) || reference === 0 || isMissing(price)) return null;
  return ((price - reference) / reference) * 100;
}

function rounded(value: number): string {
  const text = HUNDREDTHS.format(hundredths(value));
  return withoutNegativeZero(value < 0 ? `-${text}` : text);
}

function hundredths(value: number): number {
  return Math.round(Math.abs(value) * 100 + Number.EPSILON * 100) / 100;
}
