const SCALE = 8;
const ONE = 10n ** BigInt(SCALE);

/**
 * A price or quantity as a whole number of 10^-8, the finest step anything is traded in. Sums and products of money are
 * done in these, because 0.1 + 0.2 is not 0.3 in floating point and a share must never be lost to that.
 */
export type Units = bigint;

export function toUnits(value: number): Units {
  const text = Math.abs(value).toFixed(SCALE).replace('.', '');
  return value < 0 ? -BigInt(text) : BigInt(text);
}

export function fromUnits(units: Units): number {
  return Number(units) / Number(ONE);
}

/** The largest multiple of `step` that is not above `value`. A missing step leaves the value alone. */
export function floorToStep(value: number, step: number): number {
  const stepUnits = toUnits(step);
  if (stepUnits <= 0n) return value;
  const units = toUnits(value);
  return fromUnits(units - (((units % stepUnits) + stepUnits) % stepUnits));
}

/** True when `value` is a whole number of `step`s. */
export function isMultiple(value: number, step: number): boolean {
  const stepUnits = toUnits(step);
  return stepUnits <= 0n || toUnits(value) % stepUnits === 0n;
}

/** `a × b`, rounded down or up to a whole number: a won amount of price × quantity. */
export function wholeProduct(a: number, b: number, round: 'down' | 'up'): number {
  const product = toUnits(a) * toUnits(b);
  const unit = ONE * ONE;
  const whole = product / unit;
  return Number(round === 'up' && product % unit > 0n ? whole + 1n : whole);
}
