import { unitless } from '@/shared/format/number';
import { figureCopy } from './copy';
import { textWidthPx } from './scale';

/** A value with its unit: `40%`, `134,444원`. */
export function amount(value: number, unit: string): string {
  return `${unitless(value)}${unit}`;
}

/** The longest form of a value that fits: with unit, without it, or in units of ten thousand. */
export function fittingAmount(value: number, unit: string, roomPx: number): string {
  const forms = [amount(value, unit), unitless(value), inTenThousands(value)];
  return forms.find((form) => textWidthPx(form) <= roomPx) ?? inTenThousands(value);
}

function inTenThousands(value: number): string {
  if (Math.abs(value) < 10_000) return unitless(value);
  return figureCopy.tenThousands(unitless(Math.round(value / 1_000) / 10));
}

/** The value of an axis label; large ones in units of ten thousand. */
export function axisAmount(value: number): string {
  if (Math.abs(value) >= 100_000_000) return figureCopy.hundredMillions(unitless(value / 100_000_000));
  return Math.abs(value) >= 100_000 ? figureCopy.tenThousands(unitless(value / 10_000)) : unitless(value);
}
