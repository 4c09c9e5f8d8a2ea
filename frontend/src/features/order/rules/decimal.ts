const SCALE = 8;
const ONE = 10n ** BigInt(SCALE);

/**
 * A price or quantity in units of 10^-8, the finest quantity step. Sums and products of money use these, because 0.1 + 0.2 is
 * not 0.3 in floating point.
 */
type Units = bigint;

// Above this, doubles are further apart than a unit, so the shortest digits that identify the number are used.
const SPARSE_FROM = 2 ** 26;

export function toUnits(value: number): Units {
  const magnitude = Math.abs(value);
  const units = unitsOf(magnitude < SPARSE_FROM ? magnitude.toFixed(SCALE) : String(magnitude));
  return value < 0 ? -units : units;
}

/** The largest number that is sent as at most so many units. */
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

/** The largest multiple of `step` not above `value`. Without a step the value is unchanged. */
export function floorToStep(value: number, step: number): number {
  return fromUnits(floorUnits(toUnits(value), toUnits(step)));
}

/** The same in units. */
export function floorUnits(units: Units, step: Units): Units {
  return step <= 0n ? units : units - (((units % step) + step) % step);
}

/** The smallest multiple of `step` not below, in units. */
export function ceilUnits(units: Units, step: Units): Units {
  const floored = floorUnits(units, step);
  return floored === units ? units : floored + step;
}

/** Whether `value` is a multiple of `step`. */
export function isMultiple(value: number, step: number): boolean {
  const stepUnits = toUnits(step);
  return stepUnits <= 0n || toUnits(value) % stepUnits === 0n;
}

/** The product of several decimals, rounded to a whole number: won from price × quantity × rate. */
export function wholeProduct(factors: readonly number[], round: 'down' | 'up'): number {
  const product = factors.reduce((sofar, factor) => sofar * toUnits(factor), 1n);
  const unit = ONE ** BigInt(factors.length);
  const whole = product / unit;
  return Number(round === 'up' && product % unit > 0n ? whole + 1n : whole);
}

/** `value` changed by a whole percent, exactly. */
export function changedByPercent(value: number, percent: number): number {
  return fromUnits((toUnits(value) * BigInt(100 + percent)) / 100n);
}

/** `a − b` without floating-point error. */
export function difference(a: number, b: number): number {
  return fromUnits(toUnits(a) - toUnits(b));
}
