import { queryOptions } from '@tanstack/react-query';
import { type Category, routeOf } from './assets';
import { api, unwrap } from './client';
import { moneyQuery } from './queryClient';
import { queryKeys } from './queryKeys';
import type { Holding } from './types';

/** The member's holdings of an instrument: none, or one row per account. */
export function holdingQuery(memberSid: number, category: Category, code: string) {
  return queryOptions({
    ...moneyQuery,
    queryKey: queryKeys.holding(memberSid, category, code),
    queryFn: ({ signal }): Promise<Holding[]> =>
      unwrap(api.GET(routeOf(category, '/api/v1/stock/member/{sid}/code/{code}'), { params: { path: { sid: memberSid, code } }, signal })),
  });
}
