import type { Account } from '@/shared/api/types';

/** Whether an account is a deposit or savings contract: it holds what was paid in, and nothing is ordered from it. */
export function isContract({ actTcd }: Pick<Account, 'actTcd'>): boolean {
  return actTcd === '03' || actTcd === '04';
}

/** What was moved between this account and others: the part of its base that did not come from outside. */
export function movedBetween({ base, depositInit, depositEducationPoint, buyDeposit, purchasedItems }: Account): number {
  return base - (depositInit + depositEducationPoint + buyDeposit - purchasedItems);
}

/** Whether an account was never traded in. */
export function isUntouched(account: Account): boolean {
  return account.deposit === account.base && account.holdingsCost === 0;
}
