import type { Account } from '@/shared/api/types';
import { assetTypeName } from '@/shared/format/codes';
import { accountsCopy } from './copy';

const COMPETITION = '99';

/** The display name of an account. The gold account has no code of its own and is recognized by its type. */
export function accountName({ actTcd, accountType }: Pick<Account, 'actTcd' | 'accountType'>): string {
  if (accountType === 'COMMODITY') return accountsCopy.gold;
  return actTcd === COMPETITION ? accountsCopy.competition : assetTypeName(actTcd);
}

/** The cost base of an account: all money put in that was not earned by investing. */
export function baseOf(account: Pick<Account, 'depositInit' | 'depositEducationPoint' | 'buyDeposit' | 'purchasedItems'>): number {
  return account.depositInit + account.depositEducationPoint + account.buyDeposit - account.purchasedItems;
}

/** Whether an account was never traded in. */
export function isUntouched(account: Account): boolean {
  return account.deposit === baseOf(account) && account.holdingsCost === 0;
}
