import { useQueries, type UseQueryResult } from '@tanstack/react-query';
import { CATEGORIES } from '@/shared/api/assets';
import type { Holding } from '@/shared/api/types';
import { holdingsQuery } from './accountQueries';

/** All holdings. A kind that failed to load is missing from `holdings`; its error is in `failed`. */
interface MemberHoldings {
  holdings: readonly Holding[];
  isPending: boolean;
  /** The errors of the missing kinds. */
  failed: readonly unknown[];
  hasAll: boolean;
  /** Retries the missing kinds. */
  retry: () => void;
}

export function useHoldings(memberSid: number): MemberHoldings {
  return useQueries({ queries: CATEGORIES.map((kind) => holdingsQuery(memberSid, kind)), combine });
}

// Apart from the hook, so that its result changes only with the queries.
function combine(queries: readonly UseQueryResult<Holding[]>[]): MemberHoldings {
  const failed = queries.filter(({ isError, data }) => isError && !data);
  return {
    holdings: queries.flatMap(({ data }) => data ?? []),
    isPending: queries.some(({ isPending }) => isPending),
    failed: failed.map(({ error }) => error),
    hasAll: queries.every(({ data }) => data !== undefined),
    retry: () => {
      for (const query of failed) void query.refetch();
    },
  };
}
