import { queryOptions } from '@tanstack/react-query';
import { queryKeys } from '@/shared/api/queryKeys';
import { fetchLiked, fetchLikedProducts, type LikedKind } from './likeApi';

const STALE_TIME_MS = 60_000;

export function likedQuery(kind: LikedKind, memberSid: number) {
  return queryOptions({
    queryKey: [...queryKeys.likes(memberSid), kind],
    staleTime: STALE_TIME_MS,
    queryFn: ({ signal }) => fetchLiked(kind, memberSid, signal),
  });
}

export function likedProductsQuery(memberSid: number) {
  return queryOptions({
    queryKey: [...queryKeys.likes(memberSid), 'product'],
    staleTime: STALE_TIME_MS,
    queryFn: ({ signal }) => fetchLikedProducts(memberSid, signal),
  });
}
