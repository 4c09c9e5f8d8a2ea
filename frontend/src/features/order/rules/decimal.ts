const SCALE = 8;
const ONE = 10n ** BigInt(SCALE);

/**
 * A price or quantity as a whole number of 10^-8, the finest step anything is traded in. Sums and products of money are
 * done in these, because 0.1 + 0.2 is not 0.3 in floating point and a share must never be lost to that.
 */
export type Units = bigint;

// From here on numbers lie further apart than a unit, and one is written with the digits that tell it from its neighbours.
const SPARSE_FROM = 2 ** 26;

/** The units of a number as it would be sent. */
export function toUnits(value: number): Units {
  const magnitude = Math.abs(value);
  const units = unitsOf(magnitude < SPARSE_FROM ? magnitude.toFixed(SCALE) : String(magnitude));
  return value < 0 ? -units : units;
}

/** The number that is sent as so many units, or as the most below them where no number is: never more than was there. */
export function fromUnits(units: Units): number {
  if (units < 0n) return -fromUnits(-units);
  const digits = String(units).padStart(SCALE + 1, '0');
  const value = Number(`${digits.slice(0, -SCALE)}.${digits.slice(-SCALE)}`);
  return toUnits(value) > units ? justBelow(value) : value;
}

function unitsOf(text: string): Units {
  const [whole = '', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(SCALE, '0'));
}

function justBelow(value: number): number {
  return value - 2 ** (Math.floor(Math.log2(value)) - 52);
}

/** The largest multiple of `step` that is not above `value`. A missing step leaves the value alone. */
export function floorToStep(value: number, step: number): number {
  return fromUnits(floorUnits(toUnits(value), toUnits(step)));
}

/** The same of units. */
export function floorUnits(units: Units, step: Units): Units {
  return step <= 0n ? units : units - (((units % step) + step) % step);
}

/** True when `value` is a whole number of `step`s. */
export function isMultiple(value: number, step: number): boolean {
  const stepUnits = toUnits(step);
  return stepUnits <= 0n || toUnits(value) % stepUnits === 0n;
}

/** The product of several decimals, rounded down or up to a whole number: a won amount of price × quantity × rate. */
export function wholeProduct(factors: readonly number[], round: 'down' | 'up'): number {
  const product = factors.reduce((sofar, factor) => sofar * toUnits(factor), 1n);
  const unit = ONE ** BigInt(factors.length);
  const whole = product / unit;
  return Number(round === 'up' && product % unit > 0n ? whole + 1n : whole);
}

/** `value` less or more by so many whole percent, exactly. */
export function changedByPercent(value: number, percent: number): number {
  return fromUnits((toUnits(value) * BigInt(100 + percent)) / 100n);
}

/** `a − b` without the dust of floating point. */
export function difference(a: number, b: number): number {
  return fromUnits(toUnits(a) - toUnits(b));
}
