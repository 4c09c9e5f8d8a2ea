import type { Holding } from '@/shared/api/types';
import { isMissing } from '@/shared/format/number';
import type { Tick } from '@/shared/realtime/tick';

/** The value of a holding in won. */
export interface Valued {
  /** Null while no price is known. */
  valueWon: number | null;
  costWon: number;
  profitWon: number | null;
  profitPercent: number | null;
}

export const HOLDING_SORTS = ['value', 'profit', 'rate', 'name'] as const;
export type HoldingSort = (typeof HOLDING_SORTS)[number];

type Price = Pick<Tick, 'price' | 'fxRate'>;

/** A holding at the live price, or at the server's last price without a tick. Rounded down, as a sale would be. */
export function valueHolding(holding: Holding, tick: Price | undefined): Valued {
  const price = tick?.price ?? holding.trdPrc;
  const valueWon = (isMissing(price) ? null : valueAt(holding, { price, fxRate: tick?.fxRate ?? null })) ?? holding.evalPrc ?? null;
  return { valueWon, costWon: holding.totalJuPrc, ...profit(valueWon, holding.totalJuPrc) };
}

/** The value of the quantity at a price, reduced by `less` in its currency; null for dollars without a rate. */
export function valueAt({ juQty, currency, fxRt }: Holding, { price, fxRate }: Price, less = 0): number | null {
  const rate = currency === 'USD' ? (fxRate ?? fxRt) : 1;
  return isMissing(rate) ? null : Math.floor(roundOff((price * juQty - less) * rate));
}

/** The sum of holdings. One without a price counts at its cost, so that the total does not jump when its price arrives. */
export function totalOf(parts: readonly Valued[]): Valued {
  const costWon = parts.reduce((sum, part) => sum + part.costWon, 0);
  const valueWon = parts.reduce((sum, part) => sum + (part.valueWon ?? part.costWon), 0);
  return { valueWon, costWon, ...profit(valueWon, costWon) };
}

/** Largest first, or by name; holdings without a price go last. */
export function sortHoldings<T>(rows: readonly T[], by: HoldingSort, factsOf: (row: T) => Valued & { name: string }): T[] {
  const facts = new Map(rows.map((row) => [row, factsOf(row)]));
  const name = (row: T) => facts.get(row)?.name ?? '';
  if (by === 'name') return [...rows].sort((a, b) => name(a).localeCompare(name(b), 'ko'));
  const rank = (row: T) => facts.get(row)?.[RANKED_BY[by]] ?? Number.NEGATIVE_INFINITY;
  return [...rows].sort((a, b) => rank(b) - rank(a));
}

const RANKED_BY = { value: 'valueWon', profit: 'profitWon', rate: 'profitPercent' } as const;

function profit(valueWon: number | null, costWon: number): Pick<Valued, 'profitWon' | 'profitPercent'> {
  if (valueWon === null) return { profitWon: null, profitPercent: null };
  const profitWon = valueWon - costWon;
  return { profitWon, profitPercent: costWon > 0 ? (profitWon / costWon) * 100 : null };
}

// 0.1 × 3 is 0.30000000000000004: anything beyond a millionth of a won is floating-point error.
function roundOff(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}
