import type { Account } from '@/shared/api/types';

/** What was moved between this account and others: the part of its base that did not come from outside. */
export function movedBetween({ base, depositInit, depositEducationPoint, buyDeposit, purchasedItems }: Account): number {
  return base - (depositInit + depositEducationPoint + buyDeposit - purchasedItems);
}

/** Whether an account was never traded in. */
export function isUntouched(account: Account): boolean {
  return account.deposit === account.base && account.holdingsCost === 0;
}
