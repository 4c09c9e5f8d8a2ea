import type { Contract, ContractSchedule } from '@/shared/api/types';
import type { GrowthPoint } from '@/shared/ui/GrowthChart';
import { dottedDay } from './contractDays';
import { isKeptContract } from './contractStatus';

/** The contract at the end of each month. */
export function growthOf({ months }: ContractSchedule): GrowthPoint[] {
  return months.map(({ on, paidIn, interest }) => ({ label: dottedDay(on), paid: paidIn, interest }));
}

/** The end of the month under way, and the won that are earned by then if it is kept until maturity; null when nothing is. */
export function nextInterest({ months }: ContractSchedule, { status, rsrvType, monthsElapsed }: Contract): { day: string; amount: number } | null {
  const next = months[monthsElapsed];
  // Free saving earns by days.
  if (status !== 'ACTIVE' || rsrvType === 'F' || next === undefined) return null;
  const amount = next.interest - (months[monthsElapsed - 1]?.interest ?? 0);
  return amount > 0 ? { day: dottedDay(next.on), amount } : null;
}

/** One line of the table: a payment, or a sum at the end. */
export interface ScheduleLine {
  key: string;
  day: string;
  /** The last sum is what maturity pays, what it left in a contract that is kept, or what closing paid. */
  kind: 'PAYMENT' | 'INTEREST' | 'TAX' | 'PAYOUT' | 'KEPT' | 'CLOSED';
  /** Of a payment, from 1. */
  number: number;
  amount: number;
  state: ContractSchedule['payments'][number]['state'];
}

/** Every payment, then interest, tax and what is paid out: at maturity, or what it was when the contract was closed. */
export function linesOf(schedule: ContractSchedule, contract: Contract): ScheduleLine[] {
  const { closedOn } = contract;
  const payments = schedule.payments.filter(({ dueOn, state }) => !closedOn || state === 'PAID' || dueOn <= closedOn);
  return [...payments.map(paymentLine), ...(closedOn ? closingLines(contract, closedOn) : maturityLines(schedule, contract))];
}

function paymentLine({ number, dueOn, paidOn, amount, state }: ContractSchedule['payments'][number]): ScheduleLine {
  return { key: `payment ${number}`, day: dottedDay(paidOn ?? dueOn), kind: 'PAYMENT', number: number + 1, amount, state };
}

function maturityLines({ interest, incomeTax, localTax, payout, maturesOn }: ContractSchedule, contract: Contract): ScheduleLine[] {
  const isKept = isKeptContract(contract);
  const end = endOn(maturesOn, isKept ? 'PAID' : 'UPCOMING');
  return [end('INTEREST', interest), end('TAX', -(incomeTax + localTax)), end(isKept ? 'KEPT' : 'PAYOUT', payout)];
}

function closingLines({ paidIn, accrued, payoutAtMaturity: payout }: Contract, closedOn: string): ScheduleLine[] {
  const end = endOn(closedOn, 'PAID');
  return [end('INTEREST', accrued), end('TAX', payout - paidIn - accrued), end('CLOSED', payout)];
}

function endOn(day: string, state: ScheduleLine['state']) {
  return (kind: ScheduleLine['kind'], amount: number): ScheduleLine => ({ key: kind, day: dottedDay(day), kind, number: 0, amount, state });
}
