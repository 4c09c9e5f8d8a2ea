import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { assetsQuery } from '@/shared/api/assetsQuery';
import { holdingQuery } from '@/shared/api/holdingQuery';
import type { Category } from '@/shared/api/assets';
import type { Order } from '@/shared/api/types';
import type { OrderSide } from '@/features/order/rules/orderSides';
import { lastAccount, storedPick, storePick } from './accountMemory';
import { accountAmong, type OrderAccount, orderAccounts } from './orderAccounts';

interface Wanted {
  memberSid: number;
  category: Category;
  code: string;
  side: OrderSide;
  /** The waiting order being modified, which stays in its account. */
  changed: Order | null;
}

export interface AccountChoice {
  /** The account of the order, as in requests. */
  acno: string;
  /** The accounts to choose from; with fewer than two there is nothing to choose. */
  accounts: readonly OrderAccount[];
  /** The account of the order; null while unknown. */
  chosen: OrderAccount | null;
  /** It is not known yet which account holds what is sold. */
  isPending: boolean;
  pick: (acno: string) => void;
}

/**
 * The account of an order: the picked one, else the one used last for the category, else the basic one. Of a sale it is one that
 * holds the instrument. Once decided it stays, whatever happens to the accounts meanwhile.
 */
export function useOrderAccount({ memberSid, category, code, side, changed }: Wanted): AccountChoice {
  const isSale = side === 'sell' && changed === null;
  const assets = useQuery(assetsQuery(memberSid));
  const holdings = useQuery({ ...holdingQuery(memberSid, category, code), enabled: isSale });
  const [picked, setPicked] = useState(() => storedPick({ memberSid, code, side }));
  const [decided, setDecided] = useState<string | null>(null);
  const known = useMemo(
    () => (assets.data && (!isSale || holdings.data) ? orderAccounts(assets.data.accounts, holdings.data ?? [], category, isSale ? 'sell' : 'buy') : []),
    [assets.data, holdings.data, category, isSale],
  );
  useEffect(() => () => storePick({ memberSid, code, side }, null), [memberSid, code, side]);

  if (changed !== null) {
    const own = known.find(({ number }) => number === changed.acno) ?? null;
    return { acno: changed.acno, accounts: [], chosen: own, isPending: false, pick: () => undefined };
  }
  const wanted = accountAmong(known, picked, decided, lastAccount(memberSid, category));
  if (decided === null && known.length > 0) setDecided(wanted);
  const acno = decided !== null && picked === null ? decided : wanted;
  return {
    acno,
    accounts: known,
    chosen: known.find((account) => account.acno === acno) ?? null,
    isPending: isSale && [assets, holdings].some(({ isPending, fetchStatus }) => isPending && fetchStatus === 'fetching'),
    pick: (next) => {
      setPicked(next);
      storePick({ memberSid, code, side }, next);
    },
  };
}
