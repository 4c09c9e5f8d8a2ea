import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from './client';
import { moneyQuery } from './queryClient';
import { queryKeys } from './queryKeys';

/** Balances, totals and the wealth level. */
export function assetsQuery(memberSid: number) {
  return queryOptions({
    queryKey: queryKeys.assets(memberSid),
    queryFn: ({ signal }) => unwrap(api.GET('/api/v1/invest/account/{id}', { params: { path: { id: memberSid } }, signal })),
    ...moneyQuery,
  });
}
