import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '@/shared/api/client';
import { moneyQuery } from '@/shared/api/queryClient';
import { queryKeys } from '@/shared/api/queryKeys';
import type { Holding } from '@/shared/api/types';
import type { HoldingKind } from './holdingsValue';

/** Balances, totals and the wealth level. */
export function assetsQuery(memberSid: number) {
  return queryOptions({
    queryKey: queryKeys.assets(memberSid),
    queryFn: ({ signal }) => unwrap(api.GET('/api/v1/invest/account/{id}', { params: { path: { id: memberSid } }, signal })),
    ...moneyQuery,
  });
}

/** The holdings of one kind; stocks include ETFs. */
export function holdingsQuery(memberSid: number, kind: HoldingKind) {
  return queryOptions({
    queryKey: queryKeys.holdings(memberSid, kind),
    queryFn: ({ signal }) => fetchHoldings(memberSid, kind, signal),
    ...moneyQuery,
  });
}

function fetchHoldings(memberSid: number, kind: HoldingKind, signal: AbortSignal): Promise<Holding[]> {
  const query = { acno: '00' };
  switch (kind) {
    case 'stock':
      return unwrap(api.GET('/api/v1/stock/member/{sid}', { params: { path: { sid: memberSid }, query }, signal }));
    case 'coin':
      return unwrap(api.GET('/api/v1/coin/member/{id}', { params: { path: { id: memberSid }, query }, signal }));
    case 'gold':
      return unwrap(api.GET('/api/v1/commodity/member/{sid}', { params: { path: { sid: memberSid }, query }, signal }));
  }
}
