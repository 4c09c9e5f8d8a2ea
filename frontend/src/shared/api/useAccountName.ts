import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { BASIC_ACCOUNT } from './accountCodes';
import { assetsQuery } from './assetsQuery';

/** Names the account of a row by its number: null for the basic account, which needs no mention, and while unknown. */
export function useAccountName(memberSid: number): (acno: string) => string | null {
  const { data } = useQuery(assetsQuery(memberSid));
  return useCallback(
    (acno) => {
      const account = data?.accounts.find((known) => known.acno === acno);
      return account === undefined || account.actTcd === BASIC_ACCOUNT ? null : account.actNm;
    },
    [data],
  );
}
