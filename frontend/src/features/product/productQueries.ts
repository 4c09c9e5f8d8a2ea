import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '@/shared/api/client';
import { queryKeys } from '@/shared/api/queryKeys';
import { memberSid } from '@/shared/api/session';
import type { Interest, Product, ProductDetail } from '@/shared/api/types';
import type { InterestType } from './terms';

export const PRODUCT_KINDS = ['03', '04'] as const;
export type ProductKind = (typeof PRODUCT_KINDS)[number];

export const PRODUCT_SORTS = ['popular', 'rate', 'name', 'bank'] as const;
export type ProductSort = (typeof PRODUCT_SORTS)[number];

/** All products of a kind. The popular order depends on likes and is refetched after one. */
export function productsQuery(kind: ProductKind, sort: ProductSort) {
  return queryOptions({
    queryKey: [...(sort === 'popular' ? queryKeys.popular : queryKeys.market), 'products', kind, sort, memberSid()],
    queryFn: ({ signal }): Promise<Product[]> =>
      unwrap(api.GET('/api/v1/product/product', { params: { query: { kind, sort } }, signal })),
  });
}

/** One product with all its options. */
export function productQuery(sid: number) {
  return queryOptions({
    queryKey: [...queryKeys.market, 'product', sid, memberSid()],
    queryFn: ({ signal }): Promise<ProductDetail> =>
      unwrap(api.GET('/api/v1/product/{productSid}', { params: { path: { productSid: sid } }, signal })),
  });
}

export interface InterestRequest {
  amount: number;
  saveTrm: number;
  intrRateType: InterestType;
  rsrvType: 'S' | 'F' | null;
  best: boolean;
}

/** The result of a sum, computed by the server. */
export function interestQuery(sid: number, { rsrvType, ...question }: InterestRequest) {
  const query = { ...question, ...(rsrvType === null ? {} : { rsrvType }) };
  return queryOptions({
    queryKey: [...queryKeys.market, 'interest', sid, query],
    placeholderData: keepPreviousData,
    retry: false,
    queryFn: ({ signal }): Promise<Interest> =>
      unwrap(api.GET('/api/v1/product/{productSid}/interest', { params: { path: { productSid: sid }, query }, signal })),
  });
}
