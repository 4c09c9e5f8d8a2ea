import type { OrderTerms, TickStep } from '@/shared/api/types';
import { isMissing } from '@/shared/format/number';
import { fromUnits, isMultiple, toUnits } from './decimal';

/** From a band's `from` on, prices are multiples of its `tick`. Bands are ordered by `from`. */
type TickTable = readonly TickStep[];

/** The tick size at a price; null without a table. */
export function tickAt(price: number, table: TickTable): number | null {
  return table.findLast(({ from }) => price >= from)?.tick ?? table[0]?.tick ?? null;
}

export function isOnTick(price: number, table: TickTable): boolean {
  const tick = tickAt(price, table);
  return tick === null || isMultiple(price, tick);
}

/**
 * The next valid price above or below. From a price between two ticks it is the nearer edge in that direction. Below a band's
 * start the finer tick of the lower band applies: 2,000 goes down to 1,999, not to 1,995.
 */
export function stepPrice(price: number, direction: 'up' | 'down', table: TickTable): number {
  const units = toUnits(price);
  if (direction === 'up') {
    const tick = tickUnitsAt(price, table);
    return tick === null ? price : fromUnits(units - (units % tick) + tick);
  }
  const justBelow = fromUnits(units - 1n);
  const tick = tickUnitsAt(justBelow, table);
  if (tick === null || units <= 0n) return price;
  const below = units - 1n;
  const stepped = below - (below % tick);
  return stepped > 0n ? fromUnits(stepped) : price;
}

/** The nearest valid price at or below, for prefilling a limit order. */
export function floorToTick(price: number, table: TickTable): number {
  const tick = tickUnitsAt(price, table);
  if (tick === null) return price;
  const units = toUnits(price);
  const floored = units - (units % tick);
  return floored > 0n ? fromUnits(floored) : fromUnits(tick);
}

/** The nearest valid price at or above. */
export function ceilToTick(price: number, table: TickTable): number {
  return isOnTick(price, table) ? price : stepPrice(price, 'up', table);
}

/** The valid prices next to one between two ticks, as far as the day's limits allow them. */
export function nearestPrices(price: number, { tickTable, limits }: Pick<OrderTerms, 'tickTable' | 'limits'>): number[] {
  const nearest = [floorToTick(price, tickTable), ceilToTick(price, tickTable)];
  return nearest.filter((each, index) => nearest.indexOf(each) === index && withinLimits(each, limits) === each);
}

/** Clamps a price to the day's limits. */
export function withinLimits(price: number, { lower, upper }: OrderTerms['limits']): number {
  if (!isMissing(upper) && price > upper) return upper;
  if (!isMissing(lower) && price < lower) return lower;
  return price;
}

function tickUnitsAt(price: number, table: TickTable): bigint | null {
  const tick = tickAt(price, table);
  if (tick === null) return null;
  const units = toUnits(tick);
  return units > 0n ? units : null;
}
