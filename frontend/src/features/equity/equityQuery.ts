import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '@/shared/api/client';
import { moneyQuery } from '@/shared/api/queryClient';
import { queryKeys } from '@/shared/api/queryKeys';

export type EquityPeriod = 'MONTH' | 'THREE_MONTH' | 'YEAR' | 'ALL';

const REFRESH_MS = 60_000;

/** What all accounts were worth day by day; of a past season, or of the present one up to now. */
export function equityQuery(memberSid: number, dateType: EquityPeriod, season: number | null) {
  return queryOptions({
    queryKey: [...queryKeys.account(memberSid), 'equity', dateType, season],
    queryFn: ({ signal }) => {
      const query = { dateType, ...(season === null ? {} : { season }) };
      return unwrap(api.GET('/api/v1/invest/equity/member/{sid}', { params: { path: { sid: memberSid }, query }, signal }));
    },
    ...moneyQuery,
    refetchInterval: season === null && REFRESH_MS,
    refetchOnWindowFocus: season === null && 'always',
    // The days of another period stay until those of the new one come; those of another season would mislead.
    placeholderData: (shown, before) => (before?.queryKey.at(-1) === season ? shown : undefined),
  });
}
