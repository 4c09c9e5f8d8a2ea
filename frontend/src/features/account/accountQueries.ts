import { queryOptions } from '@tanstack/react-query';
import { type Category, routeOf } from '@/shared/api/assets';
import { api, unwrap } from '@/shared/api/client';
import { moneyQuery } from '@/shared/api/queryClient';
import { queryKeys } from '@/shared/api/queryKeys';
import type { Holding } from '@/shared/api/types';

/** The holdings of one kind in all accounts of the member; stocks include ETFs. */
export function holdingsQuery(memberSid: number, kind: Category) {
  return queryOptions({
    queryKey: queryKeys.holdings(memberSid, kind),
    queryFn: ({ signal }): Promise<Holding[]> =>
      unwrap(api.GET(routeOf(kind, '/api/v1/stock/member/{sid}'), { params: { path: { sid: memberSid } }, signal })),
    ...moneyQuery,
  });
}
