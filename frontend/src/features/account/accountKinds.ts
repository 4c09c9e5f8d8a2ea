import type { Account } from '@/shared/api/types';
import { assetTypeName } from '@/shared/format/codes';
import { accountsCopy } from './copy';

const COMPETITION = '99';

/** The name a member reads for an account. The gold account has no code of its own, so its type tells it. */
export function accountName({ actTcd, accountType }: Pick<Account, 'actTcd' | 'accountType'>): string {
  if (accountType === 'COMMODITY') return accountsCopy.gold;
  return actTcd === COMPETITION ? accountsCopy.competition : assetTypeName(actTcd);
}

/** What the profit of an account is measured against: all that was put in without earning it by investing. */
export function baseOf(account: Pick<Account, 'depositInit' | 'depositEducationPoint' | 'buyDeposit' | 'purchasedItems'>): number {
  return account.depositInit + account.depositEducationPoint + account.buyDeposit - account.purchasedItems;
}

/** Whether an account is as it was given: nothing in it was ever earned or spent by trading. */
export function isUntouched(account: Account): boolean {
  return account.deposit === baseOf(account) && account.holdingsCost === 0;
}
