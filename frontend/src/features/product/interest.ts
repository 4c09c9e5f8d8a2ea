// Interest of deposits and savings. Computed in big integers, because a rate like 1.1 % has no exact binary fraction and the
// result must be exact to the won.

/** 01 simple, 02 compounded monthly. */
export type InterestType = '01' | '02';

export interface InterestInput {
  /** Won: the whole sum of a deposit, or the monthly payment of savings. */
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

/** The sums at maturity. Interest is floored to won once, at the end. */
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

/** The balance at the end of a month. */
export interface InterestMonth {
  /** From 1. */
  month: number;
  /** Won paid in so far. */
  paid: number;
  /** Won earned so far, before tax. */
  interest: number;
}

/** The schedule month by month. */
export function interestByMonth(input: InterestInput): InterestMonth[] {
  return Array.from({ length: input.months }, (_, index) => {
    const month = index + 1;
    const { principal, interestBeforeTax } = interestAtMaturity({ ...input, months: month });
    return { month, paid: principal, interest: interestBeforeTax };
  });
}

/** Income tax of 14 % and local tax of a tenth of it, each floored to ten won. */
export function taxOn(interestWon: number): number {
  const income = Math.floor((interestWon * 14) / 1_000) * 10;
  const local = Math.floor(income / 100) * 10;
  return income + local;
}

interface Fraction {
  top: bigint;
  bottom: bigint;
}

function monthlyRate(ratePercent: number): Fraction {
  const [whole = '0', decimals = ''] = String(ratePercent).split('.');
  return { top: BigInt(whole + decimals), bottom: 1_200n * 10n ** BigInt(decimals.length) };
}

function simple(sum: bigint, { top, bottom }: Fraction, months: bigint, isMonthly: boolean): bigint {
  // Each payment earns for its remaining months, which adds up to n(n+1)/2.
  return isMonthly ? (sum * top * months * (months + 1n)) / (2n * bottom) : (sum * top * months) / bottom;
}

function compound(sum: bigint, { top, bottom }: Fraction, months: number, isMonthly: boolean): bigint {
  const all = bottom ** BigInt(months);
  let grown = 0n;
  // A payment with k months left grows by (1 + i)^k; a deposit is the oldest of them alone.
  for (let month = isMonthly ? 1 : months; month <= months; month += 1) {
    grown += (bottom + top) ** BigInt(month) * bottom ** BigInt(months - month) - all;
  }
  return (sum * grown) / all;
}
