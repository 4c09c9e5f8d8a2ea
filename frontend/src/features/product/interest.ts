// What a sum becomes in a deposit or a savings plan. All in whole numbers of any length, because a rate like 1.1 % has no exact
// binary fraction and a won must not come or go by that.

/** 01 simple, 02 compounding every month. */
export type InterestType = '01' | '02';

export interface InterestInput {
  /** Won: the whole sum of a deposit, or the sum of each month for savings. */
  amount: number;
  /** Percent a year, with any number of decimals. */
  ratePercent: number;
  months: number;
  type: InterestType;
  /** Paid in at the start of each month instead of at once. */
  isMonthly: boolean;
}

export interface InterestResult {
  principal: number;
  interestBeforeTax: number;
  tax: number;
  interestAfterTax: number;
  payout: number;
}

/** The sums at maturity. The interest is cut to won once, at the end. */
export function interestAtMaturity({ amount, ratePercent, months, type, isMonthly }: InterestInput): InterestResult {
  const rate = monthlyRate(ratePercent);
  const sum = BigInt(amount);
  const grossWon = Number(type === '01' ? simple(sum, rate, BigInt(months), isMonthly) : compound(sum, rate, months, isMonthly));
  const principal = isMonthly ? amount * months : amount;
  const tax = taxOn(grossWon);
  return {
    principal,
    interestBeforeTax: grossWon,
    tax,
    interestAfterTax: grossWon - tax,
    payout: principal + grossWon - tax,
  };
}

/** How a sum stands at the end of a month. */
export interface InterestMonth {
  /** From 1. */
  month: number;
  /** Won paid in so far. */
  paid: number;
  /** Won earned so far, before tax. */
  interest: number;
}

/** The way to maturity, month by month. */
export function interestByMonth(input: InterestInput): InterestMonth[] {
  return Array.from({ length: input.months }, (_, index) => {
    const month = index + 1;
    const { principal, interestBeforeTax } = interestAtMaturity({ ...input, months: month });
    return { month, paid: principal, interest: interestBeforeTax };
  });
}

/** Income tax of 14 % and local tax of a tenth of it, each cut to ten won on its own. */
export function taxOn(interestWon: number): number {
  const income = Math.floor((interestWon * 14) / 1_000) * 10;
  const local = Math.floor(income / 100) * 10;
  return income + local;
}

/** A fraction of whole numbers. */
interface Fraction {
  top: bigint;
  bottom: bigint;
}

function monthlyRate(ratePercent: number): Fraction {
  const [whole = '0', decimals = ''] = String(ratePercent).split('.');
  return { top: BigInt(whole + decimals), bottom: 1_200n * 10n ** BigInt(decimals.length) };
}

function simple(sum: bigint, { top, bottom }: Fraction, months: bigint, isMonthly: boolean): bigint {
  // A month's sum earns for as many months as are left, which adds up to n(n+1)/2.
  return isMonthly ? (sum * top * months * (months + 1n)) / (2n * bottom) : (sum * top * months) / bottom;
}

function compound(sum: bigint, { top, bottom }: Fraction, months: number, isMonthly: boolean): bigint {
  const all = bottom ** BigInt(months);
  let grown = 0n;
  // Sums of month k have grown by (1 + i)^k in the end; a deposit is only the oldest of them.
  for (let month = isMonthly ? 1 : months; month <= months; month += 1) {
    grown += (bottom + top) ** BigInt(month) * bottom ** BigInt(months - month) - all;
  }
  return (sum * grown) / all;
}
