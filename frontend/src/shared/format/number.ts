const GROUPED = new Intl.NumberFormat('ko-KR', { maximumFractionDigits: 5 });
const QUANTITY = new Intl.NumberFormat('ko-KR', { maximumFractionDigits: 8 });

/** A grouped number with up to five decimals and no unit: `1,234.5`. A missing value is `-`. */
export function unitless(value: number | null | undefined): string {
  return isMissing(value) ? '-' : withoutNegativeZero(GROUPED.format(value));
}

/** A grouped quantity with up to eight decimals, as coins have. */
export function quantity(value: number | null | undefined): string {
  return isMissing(value) ? '-' : withoutNegativeZero(QUANTITY.format(value));
}

/** True for null, undefined, NaN and the infinities, which are shown as `-`. */
export function isMissing(value: number | null | undefined): value is null | undefined {
  return value === null || value === undefined || !Number.isFinite(value);
}

/** `Intl` writes "-0" for a small negative that rounds to nothing. */
export function withoutNegativeZero(text: string): string {
  return /^-0(\.0*)?$/.test(text) ? text.slice(1) : text;
}

/** Rounded to two decimals, as rates and prices are shown. */
export function toHundredths(value: number): number {
  return Math.round(value * 100) / 100;
}
