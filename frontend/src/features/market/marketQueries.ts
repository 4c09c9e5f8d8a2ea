import { type InfiniteData, infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { brought } from '@/shared/api/brought';
import { api, unwrap } from '@/shared/api/client';
import { moneyQuery } from '@/shared/api/queryClient';
import { type Category, queryKeys } from '@/shared/api/queryKeys';
import type { components } from '@/shared/api/schema';
import { memberSid } from '@/shared/api/session';
import type { Candle, CandleType, CommodityPrice, Holding, Item, MarketCode, Order } from '@/shared/api/types';

/** How lists are ordered. */
export const SORTS = ['value', 'marketCap', 'rateUp', 'rateDown', 'price', 'name'] as const;
export type Sort = (typeof SORTS)[number];

type ItemList = components['schemas']['ItemList'];

const LIST_FRESH_MS = 60_000;
const NOBODY = 0;
/** A category in the paths of the API. */
const ROUTES: Record<Category, string> = { stock: 'stock', coin: 'coin', gold: 'commodity' };

/**
 * Begins a query with what the page brought along of a read. For a member it counts as old from the start, because it knows
 * nothing of their hearts.
 */
function begunWith<Answer, Data = Answer>(read: string, dataOf: (answer: Answer) => Data) {
  const found = brought(read);
  return {
    initialData: () => (found === undefined ? undefined : dataOf(found.answer as Answer)),
    initialDataUpdatedAt: found === undefined || memberSid() !== null ? 0 : found.atMs,
  };
}

const asItIs = <Answer>(answer: Answer): Answer => answer;

/** What people look at and trade most in a category now. A member's own hearts come with it, here as in every list. */
export function popularQuery(category: Category) {
  const who = memberSid();
  const id = who ?? NOBODY;
  return queryOptions({
    queryKey: [...queryKeys.popular, category, who],
    staleTime: LIST_FRESH_MS,
    ...begunWith<Item[]>(`/api/v1/${ROUTES[category]}/popular/member/${NOBODY}`, asItIs),
    queryFn: ({ signal }): Promise<Item[]> => {
      switch (category) {
        case 'stock':
          return unwrap(api.GET('/api/v1/stock/popular/member/{sid}', { params: { path: { sid: id } }, signal }));
        case 'coin':
          return unwrap(api.GET('/api/v1/coin/popular/member/{id}', { params: { path: { id } }, signal }));
        case 'gold':
          return unwrap(api.GET('/api/v1/commodity/popular/member/{id}', { params: { path: { id } }, signal }));
      }
    },
  });
}

/** Everything of a category, a page of twenty at a time. */
export function browseQuery(category: Category, marketCode: MarketCode, sort: Sort) {
  return infiniteQueryOptions({
    queryKey: [...queryKeys.market, 'browse', category, marketCode, sort, memberSid()],
    staleTime: LIST_FRESH_MS,
    ...begunWith<ItemList, InfiniteData<ItemList, number>>(
      `/api/v1/${ROUTES[category]}/list?marketCode=${marketCode}&sort=${sort}&page=1`,
      (page) => ({ pages: [page], pageParams: [1] }),
    ),
    initialPageParam: 1,
    queryFn: ({ pageParam, signal }) => {
      const params = { query: { marketCode, sort, page: pageParam } };
      switch (category) {
        case 'stock':
          return unwrap(api.GET('/api/v1/stock/list', { params, signal }));
        case 'coin':
          return unwrap(api.GET('/api/v1/coin/list', { params, signal }));
        case 'gold':
          return unwrap(api.GET('/api/v1/commodity/list', { params, signal }));
      }
    },
    getNextPageParam: (last) => (last.hasNext ? last.page + 1 : undefined),
  });
}

/** One instrument with its price. */
export function quoteQuery(category: Category, code: string) {
  return queryOptions({
    queryKey: [...queryKeys.market, 'quote', category, code, memberSid()],
    staleTime: 0,
    ...begunWith<Item>(`/api/v1/${ROUTES[category]}/real/code/${code}`, asItIs),
    queryFn: ({ signal }): Promise<Item> => {
      const params = { path: { code } };
      switch (category) {
        case 'stock':
          return unwrap(api.GET('/api/v1/stock/real/code/{code}', { params, signal }));
        case 'coin':
          return unwrap(api.GET('/api/v1/coin/real/code/{code}', { params, signal }));
        case 'gold':
          return unwrap(api.GET('/api/v1/commodity/real/code/{code}', { params, signal }));
      }
    },
  });
}

/** A commodity's price and, for gold of the exchange here, how it compares with the world's. */
export function commodityPriceQuery(code: string) {
  return queryOptions({
    queryKey: [...queryKeys.market, 'commodity-price', code],
    staleTime: LIST_FRESH_MS,
    refetchInterval: LIST_FRESH_MS,
    queryFn: ({ signal }): Promise<CommodityPrice> =>
      unwrap(api.GET('/api/v1/commodity/get-commodity-price', { params: { query: { isuSrtCd: code } }, signal })),
  });
}

/** Won for units of other currencies. */
export function exchangeRatesQuery() {
  return queryOptions({
    queryKey: [...queryKeys.market, 'exchange-rates'],
    staleTime: LIST_FRESH_MS,
    refetchInterval: LIST_FRESH_MS,
    queryFn: ({ signal }) => unwrap(api.GET('/api/v1/commodity/get-exchange-rate', { signal })),
  });
}

/** Candles that have been loaded, oldest first, and where the period itself begins. */
interface LoadedCandles {
  candles: readonly Candle[];
  /** The first candle of the newest pages, which make the period; undefined without candles. */
  start: string | undefined;
  pages: number;
}

/** A chart's candles. The past is followed page by page; a page ends before `to`, and `wantedPages` of them make the period. */
export function candlesQuery(category: Category, code: string, period: CandleType, wantedPages: number) {
  return infiniteQueryOptions({
    queryKey: [...queryKeys.market, 'candles', category, code, period],
    staleTime: LIST_FRESH_MS,
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }): Promise<Candle[]> => {
      const { candles } = await fetchCandles(category, code, period, pageParam, signal);
      return candles;
    },
    getNextPageParam: (oldest: Candle[]) => oldest[0]?.date,
    select: wantedPages === 1 ? loadedOfOne : loadedOfFive,
  });
}

// The same functions at every call: the query selects anew whenever its function changes.
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

/** A domestic company's description. Failing to load it hides the section, nothing more. */
export function outlineQuery(code: string) {
  return queryOptions({
    queryKey: [...queryKeys.market, 'outline', code],
    retry: false,
    queryFn: ({ signal }) =>
      unwrap(api.GET('/api/v1/stock/detail/get-stock-company-outline', { params: { query: { isuSrtCd: code } }, signal })),
  });
}

/** The largest members of the index that an ETF follows. Failing to load them hides the section, nothing more. */
export function indexConstituentsQuery(code: string) {
  return queryOptions({
    queryKey: [...queryKeys.market, 'index-constituents', code],
    staleTime: LIST_FRESH_MS,
    retry: false,
    queryFn: ({ signal }) => unwrap(api.GET('/api/v1/stock/index-constituents/{code}', { params: { path: { code } }, signal })),
  });
}

/** What the member holds of one instrument: nothing or one row per account. */
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

/** The member's orders for one instrument that have not filled yet. */
export function waitingQuery(memberSid: number, category: Category, code: string) {
  return queryOptions({
    ...moneyQuery,
    queryKey: queryKeys.waitingFor(memberSid, category, code),
    queryFn: ({ signal }): Promise<Order[]> => {
      switch (category) {
        case 'stock':
          return unwrap(api.GET('/api/v1/stock/wait/member/{sid}/code/{code}', { params: { path: { sid: memberSid, code } }, signal }));
        case 'coin':
          return unwrap(api.GET('/api/v1/coin/wait/member/{id}/code/{code}', { params: { path: { id: memberSid, code } }, signal }));
        case 'gold':
          return unwrap(api.GET('/api/v1/commodity/wait/member/{sid}/code/{code}', { params: { path: { sid: memberSid, code } }, signal }));
      }
    },
  });
}
