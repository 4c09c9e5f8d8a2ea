import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '@/shared/api/client';
import { moneyQuery } from '@/shared/api/queryClient';
import { type Category, queryKeys } from '@/shared/api/queryKeys';
import type { Candle, CandleType, Holding, Item, MarketCode, Order } from '@/shared/api/types';

/** How lists are ordered. */
export type Sort = 'value' | 'marketCap' | 'rateUp' | 'rateDown' | 'price' | 'name';

const LIST_FRESH_MS = 60_000;
const NOBODY = 0;

/** The most traded instruments of a category now. */
export function popularQuery(category: Category) {
  return queryOptions({
    queryKey: [...queryKeys.market, 'popular', category],
    staleTime: LIST_FRESH_MS,
    queryFn: ({ signal }): Promise<Item[]> =>
      category === 'coin'
        ? unwrap(api.GET('/api/v1/coin/popular/member/{id}', { params: { path: { id: NOBODY } }, signal }))
        : unwrap(api.GET('/api/v1/stock/popular/member/{sid}', { params: { path: { sid: NOBODY } }, signal })),
  });
}

/** Everything of a category, a page of twenty at a time. */
export function browseQuery(category: Category, marketCode: MarketCode, sort: Sort) {
  return infiniteQueryOptions({
    queryKey: [...queryKeys.market, 'browse', category, marketCode, sort],
    staleTime: LIST_FRESH_MS,
    initialPageParam: 1,
    queryFn: ({ pageParam, signal }) => {
      const params = { query: { marketCode, sort, page: pageParam } };
      return category === 'coin'
        ? unwrap(api.GET('/api/v1/coin/list', { params, signal }))
        : unwrap(api.GET('/api/v1/stock/list', { params, signal }));
    },
    getNextPageParam: (last) => (last.hasNext ? last.page + 1 : undefined),
  });
}

/** One instrument with its price. */
export function quoteQuery(category: Category, code: string) {
  return queryOptions({
    queryKey: [...queryKeys.market, 'quote', category, code],
    staleTime: 0,
    queryFn: ({ signal }): Promise<Item> =>
      category === 'coin'
        ? unwrap(api.GET('/api/v1/coin/real/code/{code}', { params: { path: { code } }, signal }))
        : unwrap(api.GET('/api/v1/stock/real/code/{code}', { params: { path: { code } }, signal })),
  });
}

/** A chart's candles, oldest first. Coins can be followed into the past page by page; a page ends before `to`. */
export function candlesQuery(category: Category, code: string, period: CandleType) {
  return infiniteQueryOptions({
    queryKey: [...queryKeys.market, 'candles', category, code, period],
    staleTime: LIST_FRESH_MS,
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }): Promise<Candle[]> => {
      if (category === 'coin') {
        const query = { isuSrtCd: code, candleType: period, ...(pageParam === undefined ? {} : { to: pageParam }) };
        const reply = await unwrap(api.GET('/api/v1/coin/get-coin-detail-time-tab', { params: { query }, signal }));
        return reply.candles;
      }
      const reply = await unwrap(
        api.GET('/api/v1/global-stock/get-chart-data-type/{code}', {
          params: { path: { code }, query: { candleType: period } },
          signal,
        }),
      );
      return reply.candles;
    },
    getNextPageParam: (oldest: Candle[], pages) =>
      category === 'coin' && (oldest.length > 0 || pages.length === 0) ? oldest[0]?.date : undefined,
    select: ({ pages }) => [...pages].reverse().flat(),
  });
}

/** A domestic company's description. Failing to load it hides the section, nothing more. */
export function outlineQuery(code: string) {
  return queryOptions({
    queryKey: [...queryKeys.market, 'outline', code],
    retry: false,
    queryFn: ({ signal }) =>
      unwrap(api.GET('/api/v1/stock/detail/get-stock-company-outline', { params: { query: { isuSrtCd: code } }, signal })),
  });
}

/** What the member holds of one instrument: nothing or one row per account. */
export function holdingQuery(memberSid: number, category: Category, code: string) {
  return queryOptions({
    ...moneyQuery,
    queryKey: queryKeys.holding(memberSid, category, code),
    queryFn: ({ signal }): Promise<Holding[]> =>
      category === 'coin'
        ? unwrap(api.GET('/api/v1/coin/member/{id}/code/{code}', { params: { path: { id: memberSid, code } }, signal }))
        : unwrap(api.GET('/api/v1/stock/member/{sid}/code/{code}', { params: { path: { sid: memberSid, code } }, signal })),
  });
}

/** The member's orders for one instrument that have not filled yet. */
export function waitingQuery(memberSid: number, category: Category, code: string) {
  return queryOptions({
    ...moneyQuery,
    queryKey: queryKeys.waitingFor(memberSid, category, code),
    queryFn: ({ signal }): Promise<Order[]> =>
      category === 'coin'
        ? unwrap(api.GET('/api/v1/coin/wait/member/{id}/code/{code}', { params: { path: { id: memberSid, code } }, signal }))
        : unwrap(
            api.GET('/api/v1/stock/wait/member/{sid}/code/{code}', { params: { path: { sid: memberSid, code } }, signal }),
          ),
  });
}
