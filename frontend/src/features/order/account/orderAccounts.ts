import { BASIC_ACCOUNT, COMPETITION_ACCOUNT } from '@/shared/api/accountCodes';
import { ASSETS, type Category } from '@/shared/api/assets';
import type { Account, Holding } from '@/shared/api/types';
import { difference } from '@/features/order/rules/decimal';
import type { OrderSide } from '@/features/order/rules/orderSides';

/** An account that an instrument may be ordered from. */
export interface OrderAccount {
  /** As in requests: `00` for the basic account. That of a competition by its number, lest an order that is sent again reach another. */
  acno: string;
  number: string;
  actNm: string;
  isBasic: boolean;
  availableWon: number;
  /** How many of the instrument may be sold from it. */
  sellableQty: number;
}

/** The open accounts that may hold a category, the basic one first. Of a sale only those that hold the instrument. */
export function orderAccounts(
  accounts: readonly Account[],
  holdings: readonly Holding[],
  category: Category,
  side: OrderSide,
): OrderAccount[] {
  const allowed = accounts
    .filter(({ actTcd, isClosed }) => !isClosed && mayHold(actTcd, category))
    .map(({ acno, actTcd, actNm, available }): OrderAccount => {
      const isBasic = actTcd === BASIC_ACCOUNT;
      const own = holdings.find((holding) => holding.acno === acno);
      const sellableQty = own === undefined ? 0 : difference(own.juQty, own.heldQty);
      return { acno: isBasic ? BASIC_ACCOUNT : acno, number: acno, actNm, isBasic, availableWon: available, sellableQty };
    })
    .sort((a, b) => Number(b.isBasic) - Number(a.isBasic));
  if (side === 'buy') return allowed;
  const holding = allowed.filter(({ number }) => holdings.some(({ acno, juQty }) => acno === number && juQty > 0));
  return holding.length > 0 ? holding : allowed.slice(0, 1);
}

/** The wanted account if it is one of them, else the first; the wanted one while none is known. */
export function accountAmong(accounts: readonly OrderAccount[], ...wanted: readonly (string | null)[]): string {
  const known = wanted.filter((acno) => acno !== null);
  if (accounts.length === 0) return known[0] ?? BASIC_ACCOUNT;
  return known.find((acno) => accounts.some((account) => account.acno === acno)) ?? accounts[0]?.acno ?? BASIC_ACCOUNT;
}

function mayHold(actTcd: string, category: Category): boolean {
  if (actTcd === COMPETITION_ACCOUNT) return category === 'stock';
  return actTcd === BASIC_ACCOUNT || actTcd === ASSETS[category].account;
}
