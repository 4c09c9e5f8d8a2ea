import { api, unwrap } from '@/shared/api/client';
import type { Item, Product } from '@/shared/api/types';
import type { LikeTarget } from './likeTarget';

/** The kinds of like lists; shares are stocks and ETFs together. */
export type LikedKind = 'stock' | 'etf' | 'shares' | 'coin' | 'gold';

/** Sets or clears a like; idempotent. */
export async function putLike(memberSid: number, target: LikeTarget, like: boolean): Promise<void> {
  if (target.kind === 'PRODUCT') {
    await unwrap(api.PUT('/api/v1/member/product-like', { body: { memberSid, targetSid: target.sid, like } }));
    return;
  }
  await unwrap(api.PUT('/api/v1/member/stock-like', { body: { memberSid, targetCode: target.code, like, type: target.kind } }));
}

/** The liked instruments of a kind, newest first. */
export function fetchLiked(kind: LikedKind, memberSid: number, signal: AbortSignal): Promise<Item[]> {
  switch (kind) {
    case 'stock':
    case 'etf':
    case 'shares': {
      const query = kind === 'shares' ? {} : ({ type: kind === 'etf' ? 'ETF' : 'STOCK' } as const);
      return unwrap(api.GET('/api/v1/stock/member/{sid}/stock-like', { params: { path: { sid: memberSid }, query }, signal }));
    }
    case 'coin':
      return unwrap(api.GET('/api/v1/coin/member/{id}/coin-like', { params: { path: { id: memberSid } }, signal }));
    case 'gold':
      return unwrap(api.GET('/api/v1/commodity/member/{id}/gold-like', { params: { path: { id: memberSid } }, signal }));
  }
}

/** The liked products, newest first. */
export function fetchLikedProducts(memberSid: number, signal: AbortSignal): Promise<Product[]> {
  return unwrap(api.GET('/api/v1/product/member/{sid}/product-like', { params: { path: { sid: memberSid } }, signal }));
}
