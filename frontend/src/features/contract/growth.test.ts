import { describe, expect, it } from 'vitest';
import type { Contract, ContractSchedule } from '@/shared/api/types';
import { savingsContract } from '@/testing/moneySamples';
import { growthOf, linesOf, nextInterest, type ScheduleLine } from './growth';

const schedule: ContractSchedule = {
  acno: '100000000004',
  payments: [
    { number: 0, dueOn: '2026-10-25', paidOn: '2026-10-25', amount: 300_000, state: 'PAID' },
    { number: 1, dueOn: '2026-11-25', paidOn: '2026-11-27', amount: 300_000, state: 'PAID' },
    { number: 2, dueOn: '2026-12-25', paidOn: null, amount: 300_000, state: 'UPCOMING' },
  ],
  months: [
    { month: 1, on: '2026-11-25', paidIn: 300_000, interest: 750 },
    { month: 2, on: '2026-12-25', paidIn: 600_000, interest: 2_250 },
    { month: 3, on: '2027-01-25', paidIn: 900_000, interest: 4_500 },
  ],
  principal: 900_000,
  interest: 4_500,
  incomeTax: 630,
  localTax: 60,
  payout: 903_810,
  maturesOn: '2027-01-25',
};
const contract: Contract = { ...savingsContract, monthsElapsed: 1, term: 3, paidIn: 600_000, maturesOn: '2027-01-25' };

it('is a bar for each month', () =>
  expect(growthOf(schedule)[1]).toEqual({ label: '2026.12.25', paid: 600_000, interest: 2_250 }));

describe('the interest of the month under way', () => {
  it('is what the end of the month adds', () => {
    expect(nextInterest(schedule, contract)).toEqual({ day: '2026.12.25', amount: 1_500 });
    expect(nextInterest(schedule, { ...contract, monthsElapsed: 0 })).toEqual({ day: '2026.11.25', amount: 750 });
  });

  it.each<[string, Partial<Contract>]>([
    ['after the term', { monthsElapsed: 3 }],
    ['of a contract that has ended', { status: 'EARLY_CLOSED' }],
    ['of free saving, which earns by days', { rsrvType: 'F' }],
  ])('is none %s', (_name, change) => expect(nextInterest(schedule, { ...contract, ...change })).toBeNull());
});

describe('the lines', () => {
  const shown = (lines: ScheduleLine[]) => lines.map(({ day, kind, number, amount, state }) => [day, kind, number, amount, state]);
  const made = [
    ['2026.10.25', 'PAYMENT', 1, 300_000, 'PAID'],
    ['2026.11.27', 'PAYMENT', 2, 300_000, 'PAID'],
  ];

  it('are the payments on the day they were made, and what maturity pays', () =>
    expect(shown(linesOf(schedule, contract))).toEqual([
      ...made,
      ['2026.12.25', 'PAYMENT', 3, 300_000, 'UPCOMING'],
      ['2027.01.25', 'INTEREST', 0, 4_500, 'UPCOMING'],
      ['2027.01.25', 'TAX', 0, -690, 'UPCOMING'],
      ['2027.01.25', 'PAYOUT', 0, 903_810, 'UPCOMING'],
    ]));

  it('of a contract that is kept end with what it holds', () =>
    expect(shown(linesOf(schedule, { ...contract, status: 'MATURED' })).at(-1)).toEqual(['2027.01.25', 'KEPT', 0, 903_810, 'PAID']));

  it('of a closed contract end on that day with what it paid, without payments that never came due', () => {
    const unpaid = { ...schedule, payments: schedule.payments.map((one) => (one.number === 2 ? { ...one, state: 'MISSED' as const } : one)) };
    const closed: Contract = { ...contract, status: 'EARLY_CLOSED', closedOn: '2026-12-01', accrued: 250, payoutAtMaturity: 600_220 };
    expect(shown(linesOf(unpaid, closed))).toEqual([
      ...made,
      ['2026.12.01', 'INTEREST', 0, 250, 'PAID'],
      ['2026.12.01', 'TAX', 0, -30, 'PAID'],
      ['2026.12.01', 'CLOSED', 0, 600_220, 'PAID'],
    ]);
  });
});
