import { type InfiniteData, infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { preloadedAnswer } from '@/shared/api/preloadedAnswer';
import { ASSETS, type Category, routeOf } from '@/shared/api/assets';
import { api, unwrap } from '@/shared/api/client';
import { moneyQuery } from '@/shared/api/queryClient';
import { queryKeys } from '@/shared/api/queryKeys';
import type { components } from '@/shared/api/schema';
import { memberSid } from '@/shared/api/session';
import type { Candle, CandleType, CommodityPrice, Item, MarketCode, Order } from '@/shared/api/types';

export const SORTS = ['value', 'marketCap', 'rateUp', 'rateDown', 'price', 'name'] as const;
export type Sort = (typeof SORTS)[number];

type ItemList = components['schemas']['ItemList'];

const LIST_STALE_TIME_MS = 60_000;
const ANONYMOUS = 0;

/** Starts a query with the embedded reply. For a member it counts as stale from the start, because it lacks their hearts. */
function withPreloaded<Answer, Data = Answer>(read: string, dataOf: (answer: Answer) => Data) {
  const found = preloadedAnswer(read);
  return {
    initialData: () => (found === undefined ? undefined : dataOf(found.answer as Answer)),
    initialDataUpdatedAt: found === undefined || memberSid() !== null ? 0 : found.atMs,
  };
}

const identity = <Answer>(answer: Answer): Answer => answer;

/** The most viewed and traded instruments of a category, with the member's own hearts, as in every list. */
export function popularQuery(category: Category) {
  const member = memberSid();
  return queryOptions({
    queryKey: [...queryKeys.popular, category, member],
    staleTime: LIST_STALE_TIME_MS,
    ...withPreloaded<Item[]>(`/api/v1/${ASSETS[category].route}/popular/member/${ANONYMOUS}`, identity),
    queryFn: ({ signal }): Promise<Item[]> =>
      unwrap(api.GET(routeOf(category, '/api/v1/stock/popular/member/{sid}'), { params: { path: { sid: member ?? ANONYMOUS } }, signal })),
  });
}

/** All instruments of a category, twenty per page. */
export function browseQuery(category: Category, marketCode: MarketCode, sort: Sort) {
  return infiniteQueryOptions({
    queryKey: [...queryKeys.market, 'browse', category, marketCode, sort, memberSid()],
    staleTime: LIST_STALE_TIME_MS,
    ...withPreloaded<ItemList, InfiniteData<ItemList, number>>(
      `/api/v1/${ASSETS[category].route}/list?marketCode=${marketCode}&sort=${sort}&page=1`,
      (page) => ({ pages: [page], pageParams: [1] }),
    ),
    initialPageParam: 1,
    queryFn: ({ pageParam, signal }) =>
      unwrap(api.GET(routeOf(category, '/api/v1/stock/list'), { params: { query: { marketCode, sort, page: pageParam } }, signal })),
    getNextPageParam: (last) => (last.hasNext ? last.page + 1 : undefined),
  });
}

/** One instrument with its price. */
export function quoteQuery(category: Category, code: string) {
  return queryOptions({
    queryKey: [...queryKeys.market, 'quote', category, code, memberSid()],
    staleTime: 0,
    ...withPreloaded<Item>(`/api/v1/${ASSETS[category].route}/real/code/${code}`, identity),
    queryFn: ({ signal }): Promise<Item> =>
      unwrap(api.GET(routeOf(category, '/api/v1/stock/real/code/{code}'), { params: { path: { code } }, signal })),
  });
}

/** A commodity's price, and for domestic gold its premium. */
export function commodityPriceQuery(code: string) {
  return queryOptions({
    queryKey: [...queryKeys.market, 'commodity-price', code],
    staleTime: LIST_STALE_TIME_MS,
    refetchInterval: LIST_STALE_TIME_MS,
    queryFn: ({ signal }): Promise<CommodityPrice> =>
      unwrap(api.GET('/api/v1/commodity/get-commodity-price', { params: { query: { isuSrtCd: code } }, signal })),
  });
}

/** Won per unit of other currencies. */
export function exchangeRatesQuery() {
  return queryOptions({
    queryKey: [...queryKeys.market, 'exchange-rates'],
    staleTime: LIST_STALE_TIME_MS,
    refetchInterval: LIST_STALE_TIME_MS,
    queryFn: ({ signal }) => unwrap(api.GET('/api/v1/commodity/get-exchange-rate', { signal })),
  });
}

/** Loaded candles, oldest first, and the start of the period. */
interface LoadedCandles {
  candles: readonly Candle[];
  /** The first candle of the newest pages, which make up the period; undefined without candles. */
  start: string | undefined;
  pages: number;
}

/** The candles of a chart. Older pages end before `to`; the newest `wantedPages` make up the period. */
export function candlesQuery(category: Category, code: string, period: CandleType, wantedPages: number) {
  return infiniteQueryOptions({
    queryKey: [...queryKeys.market, 'candles', category, code, period],
    staleTime: LIST_STALE_TIME_MS,
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }): Promise<Candle[]> => {
      const { candles } = await fetchCandles(category, code, period, pageParam, signal);
      return candles;
    },
    getNextPageParam: (oldest: Candle[]) => oldest[0]?.date,
    select: wantedPages === 1 ? loadedOfOne : loadedOfFive,
  });
}

// Stable functions, because a query runs `select` again when its function changes.
const loadedOfOne = (data: { pages: Candle[][] }) => loaded(data, 1);
const loadedOfFive = (data: { pages: Candle[][] }) => loaded(data, 5);

function loaded({ pages }: { pages: Candle[][] }, wantedPages: number): LoadedCandles {
  const period = pages.slice(0, wantedPages).filter((page) => page.length > 0);
  return { candles: [...pages].reverse().flat(), start: period.at(-1)?.[0]?.date, pages: pages.length };
}

function fetchCandles(category: Category, code: string, period: CandleType, end: string | undefined, signal: AbortSignal) {
  switch (category) {
    case 'stock': {
      const query = { candleType: period, ...(end === undefined ? {} : { to: end }) };
      const params = { path: { code }, query };
      return unwrap(api.GET('/api/v1/global-stock/get-chart-data-type/{code}', { params, signal }));
    }
    case 'coin': {
      const query = { isuSrtCd: code, candleType: period, ...(end === undefined ? {} : { to: end }) };
      return unwrap(api.GET('/api/v1/coin/get-coin-detail-time-tab', { params: { query }, signal }));
    }
    case 'gold': {
      const body = { isuSrtCd: code, type: period, ...(end === undefined ? {} : { targetDate: end }) };
      return unwrap(api.POST('/api/v1/commodity/commodity_chart', { body, signal }));
    }
  }
}

/** The profile of a domestic company. A failure only hides the section. */
export function outlineQuery(code: string) {
  return queryOptions({
    queryKey: [...queryKeys.market, 'outline', code],
    retry: false,
    queryFn: ({ signal }) =>
      unwrap(api.GET('/api/v1/stock/detail/get-stock-company-outline', { params: { query: { isuSrtCd: code } }, signal })),
  });
}

/** The largest constituents of an ETF's index. A failure only hides the section. */
export function indexConstituentsQuery(code: string) {
  return queryOptions({
    queryKey: [...queryKeys.market, 'index-constituents', code],
    staleTime: LIST_STALE_TIME_MS,
    retry: false,
    queryFn: ({ signal }) => unwrap(api.GET('/api/v1/stock/index-constituents/{code}', { params: { path: { code } }, signal })),
  });
}

/** The member's waiting orders for an instrument, in all accounts. */
export function waitingQuery(memberSid: number, category: Category, code: string) {
  return queryOptions({
    ...moneyQuery,
    queryKey: queryKeys.waitingFor(memberSid, category, code),
    queryFn: ({ signal }): Promise<Order[]> =>
      unwrap(api.GET(routeOf(category, '/api/v1/stock/wait/member/{sid}/code/{code}'), { params: { path: { sid: memberSid, code } }, signal })),
  });
}
