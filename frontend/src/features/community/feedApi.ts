import { api, unwrap } from '@/shared/api/client';
import { given } from './requestParts';
import type { Category, FeedType, Post, PostPage } from './types';

interface FeedRequest {
  memberSid: number | null;
  category: Category;
  type: FeedType;
  code: string | null;
  size: number;
  cursor: string | null;
}

export function fetchFeed({ memberSid, code, cursor, ...query }: FeedRequest, signal: AbortSignal): Promise<PostPage> {
  return unwrap(api.GET('/api/v1/community/list', { params: { query: { ...query, ...given({ memberSid, code, cursor }) } }, signal }));
}

export function fetchTop(memberSid: number | null, category: Category, signal: AbortSignal): Promise<{ posts: Post[] }> {
  return unwrap(api.GET('/api/v1/community/top-3', { params: { query: { category, ...given({ memberSid }) } }, signal }));
}

export function fetchNewCount(memberSid: number | null, category: Category, after: number, signal: AbortSignal): Promise<{ count: number }> {
  return unwrap(api.GET('/api/v1/community/new-count', { params: { query: { category, after, ...given({ memberSid }) } }, signal }));
}

export interface Liked {
  isLike: boolean;
  likeCount: number;
}

export function putPostLike(sid: number, like: boolean): Promise<Liked> {
  // The server takes the name from the token.
  const init = { params: { query: { sid, userName: '' } }, body: {} };
  return unwrap(like ? api.PUT('/api/v1/community/like-up', init) : api.PUT('/api/v1/community/like-down', init));
}
