import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from './client';
import { moneyQuery } from './queryClient';
import { type Category, queryKeys } from './queryKeys';
import type { Holding } from './types';

/** The member's holdings of an instrument: none, or one row per account. */
export function holdingQuery(memberSid: number, category: Category, code: string) {
  return queryOptions({
    ...moneyQuery,
    queryKey: queryKeys.holding(memberSid, category, code),
    queryFn: ({ signal }): Promise<Holding[]> => {
      switch (category) {
        case 'stock':
          return unwrap(api.GET('/api/v1/stock/member/{sid}/code/{code}', { params: { path: { sid: memberSid, code } }, signal }));
        case 'coin':
          return unwrap(api.GET('/api/v1/coin/member/{id}/code/{code}', { params: { path: { id: memberSid, code } }, signal }));
        case 'gold':
          return unwrap(api.GET('/api/v1/commodity/member/{id}/code/{code}', { params: { path: { id: memberSid, code } }, signal }));
      }
    },
  });
}
