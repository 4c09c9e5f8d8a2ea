import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '@/shared/api/client';
import { moneyQuery } from '@/shared/api/queryClient';
import { queryKeys } from '@/shared/api/queryKeys';
import type { Holding } from '@/shared/api/types';
import type { HoldingKind } from './holdingsValue';

/** The holdings of one kind in all accounts of the member; stocks include ETFs. */
export function holdingsQuery(memberSid: number, kind: HoldingKind) {
  return queryOptions({
    queryKey: queryKeys.holdings(memberSid, kind),
    queryFn: ({ signal }) => fetchHoldings(memberSid, kind, signal),
    ...moneyQuery,
  });
}

function fetchHoldings(memberSid: number, kind: HoldingKind, signal: AbortSignal): Promise<Holding[]> {
  switch (kind) {
    case 'stock':
      return unwrap(api.GET('/api/v1/stock/member/{sid}', { params: { path: { sid: memberSid } }, signal }));
    case 'coin':
      return unwrap(api.GET('/api/v1/coin/member/{id}', { params: { path: { id: memberSid } }, signal }));
    case 'gold':
      return unwrap(api.GET('/api/v1/commodity/member/{sid}', { params: { path: { sid: memberSid } }, signal }));
  }
}
