import type { Product } from '@/shared/api/types';

/** The slider's maximum where the bank sets none. */
const USUAL_MOST_WON = { '03': 100_000_000, '04': 1_000_000 } as const;
/** The usual initial amount. */
const FIRST_WON = { '03': 10_000_000, '04': 300_000 } as const;
/** About this many positions can be set with a thumb. */
const POSITIONS = 50;

export interface AmountRange {
  /** The bank's limits; null where there is none. */
  least: number | null;
  most: number | null;
  /** The range and step of the slider; the buttons use the same step. */
  from: number;
  to: number;
  step: number;
}

export type AmountProblem = 'empty' | 'tooLittle' | 'tooMuch';

export function amountRange({ prdtTcd, minAmt, maxAmt }: Pick<Product, 'prdtTcd' | 'minAmt' | 'maxAmt'>): AmountRange {
  const least = minAmt ?? null;
  const most = maxAmt ?? null;
  const to = Math.max(Math.min(most ?? Infinity, USUAL_MOST_WON[prdtTcd]), least ?? 0);
  const step = 10 ** Math.max(0, Math.floor(Math.log10(to / POSITIONS)));
  // The slider counts steps from its lower end, so that end is a round sum.
  const from = Math.min(Math.max(Math.ceil((least ?? 0) / step) * step, step), to);
  return { least, most, from, to, step };
}

/** The initial amount: a usual sum within the range, and not more than the member has unless the bank's least is more. */
export function firstAmount({ prdtTcd }: Pick<Product, 'prdtTcd'>, { from, to, step }: AmountRange, availableWon: number | null): number {
  const affordable = availableWon === null ? Infinity : Math.floor(availableWon / step) * step;
  return Math.min(Math.max(Math.min(FIRST_WON[prdtTcd], affordable), from), to);
}

export function amountProblem(amount: number | null, { least, most }: AmountRange): AmountProblem | null {
  if (amount === null || amount === 0) return 'empty';
  if (least !== null && amount < least) return 'tooLittle';
  return most !== null && amount > most ? 'tooMuch' : null;
}

/** The amount one step further, within the range. Odd sums snap to the next round one. */
export function stepped(amount: number | null, direction: 1 | -1, { from, to, step }: AmountRange): number {
  const now = amount ?? 0;
  const next = direction === 1 ? (Math.floor(now / step) + 1) * step : (Math.ceil(now / step) - 1) * step;
  return Math.min(Math.max(next, from), to);
}
