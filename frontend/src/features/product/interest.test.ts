import { describe, expect, it } from 'vitest';
import { type InterestInput, interestAtMaturity, interestByMonth, taxOn } from './interest';

const TEN_MILLION = 10_000_000;
const deposit = (change: Partial<InterestInput>) =>
  interestAtMaturity({ amount: TEN_MILLION, ratePercent: 3, months: 12, type: '01', isMonthly: false, ...change });

describe('the interest table of a savings bank', () => {
  it.each([
    [1.1, 9_166, 7_766],
    [1.3, 10_833, 9_173],
    [1.5, 12_500, 10_580],
    [2.25, 18_750, 15_870],
  ])('a month at %s percent pays %s won, %s after tax', (ratePercent, before, after) => {
    const { interestBeforeTax, interestAfterTax, payout } = deposit({ ratePercent, months: 1 });
    expect([interestBeforeTax, interestAfterTax, payout]).toEqual([before, after, TEN_MILLION + after]);
  });

  it('three months at 1.30 % compound to 32,535 won, 27,535 after tax', () => {
    const { interestBeforeTax, tax, interestAfterTax } = deposit({ ratePercent: 1.3, months: 3, type: '02' });
    expect([interestBeforeTax, tax, interestAfterTax]).toEqual([32_535, 5_000, 27_535]);
  });
});

describe('tax', () => {
  it.each([
    [9_166, 1_280 + 120],
    [32_535, 4_550 + 450],
    [71, 0],
    [72, 10],
    [0, 0],
  ])('on %s won is %s', (interest, tax) => expect(taxOn(interest)).toBe(tax));
});

describe('interest at maturity', () => {
  it('of savings counts each payment for its remaining months', () => {
    const savings = { amount: 300_000, ratePercent: 4, months: 12, isMonthly: true } as const;
    expect(interestAtMaturity({ ...savings, type: '01' })).toEqual({
      principal: 3_600_000,
      interestBeforeTax: 78_000,
      tax: 10_920 + 1_090,
      interestAfterTax: 65_990,
      payout: 3_665_990,
    });
    // 300000·Σ(1+0.04/12)^k − 3600000, k = 1..12 = 78,961.3…
    expect(interestAtMaturity({ ...savings, type: '02' }).interestBeforeTax).toBe(78_961);
  });

  it('is exact where binary fractions are not', () => {
    expect(deposit({ amount: 100_000_000, ratePercent: 3.57, months: 36 }).interestBeforeTax).toBe(10_710_000);
    expect(deposit({ amount: 1, ratePercent: 0.1, months: 1 }).interestBeforeTax).toBe(0);
  });

  it('grows month by month up to the final sums', () => {
    const savings = { amount: 300_000, ratePercent: 4, months: 12, type: '01', isMonthly: true } as const;
    const schedule = interestByMonth(savings);
    expect(schedule).toHaveLength(12);
    expect(schedule[0]).toEqual({ month: 1, paid: 300_000, interest: 1_000 });
    expect(schedule[1]).toEqual({ month: 2, paid: 600_000, interest: 3_000 });
    expect(schedule.at(-1)).toEqual({ month: 12, paid: 3_600_000, interest: 78_000 });
  });

  it('of zero is zero', () => {
    expect(deposit({ amount: 0 })).toEqual({ principal: 0, interestBeforeTax: 0, tax: 0, interestAfterTax: 0, payout: 0 });
  });
});
