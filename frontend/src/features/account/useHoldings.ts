import { useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Holding } from '@/shared/api/types';
import { holdingsQuery } from './accountQueries';
import { HOLDING_KINDS } from './holdingsValue';

/** All holdings. A kind that failed to load is missing from `holdings`; its error is in `failed`. */
export interface MemberHoldings {
  holdings: readonly Holding[];
  isPending: boolean;
  /** The errors of the missing kinds. */
  failed: readonly unknown[];
  hasAll: boolean;
  /** Retries the missing kinds. */
  retry: () => void;
}

export function useHoldings(memberSid: number): MemberHoldings {
  const queries = useQueries({ queries: HOLDING_KINDS.map((kind) => holdingsQuery(memberSid, kind)) });
  const [stocks, coins, gold] = queries.map(({ data }) => data);
  const holdings = useMemo(() => [...(stocks ?? []), ...(coins ?? []), ...(gold ?? [])], [stocks, coins, gold]);
  const failed = queries.filter(({ isError, data }) => isError && !data);
  return {
    holdings,
    isPending: queries.some(({ isPending }) => isPending),
    failed: failed.map(({ error }) => error),
    hasAll: queries.every(({ data }) => data !== undefined),
    retry: () => {
      for (const query of failed) void query.refetch();
    },
  };
}
