import type { Account } from '@/shared/api/types';
import { changePct } from '@/shared/format/pct';
import type { Valued } from './holdingsValue';

/** Whether an account is a deposit or savings contract: it holds what was paid in, and nothing is ordered from it. */
export function isContract({ actTcd }: Pick<Account, 'actTcd'>): boolean {
  return actTcd === '03' || actTcd === '04';
}

/** A contract as the server counts it in the member's total: what it holds, and the interest of closing it today. */
export function valueSaved({ total, base }: Pick<Account, 'total' | 'base'>): Valued {
  return { valueWon: total, costWon: base, profitWon: total - base, profitPercent: changePct(total, base) };
}

/** What was moved between this account and others: the part of its base that did not come from outside. */
export function movedBetween({ base, depositInit, depositEducationPoint, buyDeposit, purchasedItems }: Account): number {
  return base - (depositInit + depositEducationPoint + buyDeposit - purchasedItems);
}

/** Whether an account was never traded in. */
export function isUntouched(account: Account): boolean {
  return account.deposit === account.base && account.holdingsCost === 0;
}
