import { infiniteQueryOptions } from '@tanstack/react-query';
import { api, unwrap } from '@/shared/api/client';
import { moneyQuery } from '@/shared/api/queryClient';
import { queryKeys } from '@/shared/api/queryKeys';
import type { ProfitPage } from '@/shared/api/types';

export const PROFIT_TYPES = ['ALL', 'STOCK', 'ETF', 'COIN', 'GOLD', 'PRODUCT'] as const;
export type ProfitType = (typeof PROFIT_TYPES)[number];

export const PROFIT_GROUPS = ['ITEM', 'DAY', 'MONTH', 'YEAR'] as const;
export type ProfitGroup = (typeof PROFIT_GROUPS)[number];

export const PROFIT_PERIODS = ['MONTH', 'THREE_MONTH', 'YEAR', 'ALL', 'custom'] as const;
export type ProfitPeriod = (typeof PROFIT_PERIODS)[number];

/** Days as `YYYY-MM-DD`. */
export interface ProfitDays {
  startDate: string;
  endDate: string;
}

export interface ProfitFilter {
  type: ProfitType | 'COMPETITION';
  groupBy: ProfitGroup | 'SALE';
  /** A span that ends today, or its days. */
  span: Exclude<ProfitPeriod, 'custom'> | ProfitDays;
  /** Only this instrument. */
  code?: string;
  /** A past season; null is the present one. */
  season: number | null;
}

const REFRESH_MS = 30_000;

/** What sales brought, or of deposits what they earned; paged, latest first. Every page has the sums of the whole span. */
export function profitQuery(memberSid: number, filter: ProfitFilter) {
  const { type, groupBy, span, code, season } = filter;
  return infiniteQueryOptions({
    queryKey: [...queryKeys.account(memberSid), 'profit', filter],
    queryFn: ({ pageParam, signal }) => {
      const query = {
        kind: type === 'PRODUCT' ? ('INTEREST' as const) : ('REALIZED' as const),
        groupBy,
        ...(typeof span === 'string' ? { dateType: span } : span),
        ...(code === undefined ? {} : { code }),
        ...(season === null ? {} : { season }),
        ...(pageParam === null ? {} : { cursor: pageParam }),
      };
      return unwrap(api.GET('/api/v1/invest/{type}/profit-loss-list/{id}', { params: { path: { type, id: memberSid }, query }, signal }));
    },
    initialPageParam: null as string | null,
    getNextPageParam: (last: ProfitPage) => last.nextCursor ?? null,
    ...moneyQuery,
    // What is held is valued at the price of now; a past season does not change.
    refetchInterval: season === null && REFRESH_MS,
    refetchOnWindowFocus: season === null && 'always',
  });
}
