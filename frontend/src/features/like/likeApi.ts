import { ASSETS, type Category, categoryOfKind, type InstrumentKind } from '@/shared/api/assets';
import { api, unwrap } from '@/shared/api/client';
import type { Item, Product } from '@/shared/api/types';
import type { LikeTarget } from './likeTarget';

/** The kinds of like lists; shares are stocks and ETFs together. */
export type LikedKind = InstrumentKind | 'shares';

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
  const category = kind === 'shares' ? 'stock' : categoryOfKind(kind);
  const query = kind === 'stock' || kind === 'etf' ? ({ type: kind === 'etf' ? 'ETF' : 'STOCK' } as const) : {};
  return unwrap(api.GET(likedRoute(category), { params: { path: { sid: memberSid }, query }, signal }));
}

/** The liked products, newest first. */
export function fetchLikedProducts(memberSid: number, signal: AbortSignal): Promise<Product[]> {
  return unwrap(api.GET('/api/v1/product/member/{sid}/product-like', { params: { path: { sid: memberSid } }, signal }));
}

// Unlike other routes it ends with the app's word: likes of commodities are `gold-like`.
function likedRoute(category: Category) {
  return `/api/v1/${ASSETS[category].route}/member/{sid}/${category}-like` as '/api/v1/stock/member/{sid}/stock-like';
}
