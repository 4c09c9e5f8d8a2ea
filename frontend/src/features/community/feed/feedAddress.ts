import type { Feed } from '@/features/community/feedQueries';
import { communityPaths } from '@/features/community/communityPaths';
import { CATEGORIES, FEED_TYPES } from '@/features/community/types';

/** The feed that an address asks for. What it does not say, or a visitor cannot have, is the usual. */
export function feedOf(params: URLSearchParams, isMember: boolean): Feed {
  const code = params.get('code');
  const category = CATEGORIES.find((known) => known === params.get('category')) ?? 'ALL';
  const type = FEED_TYPES.find((known) => known === params.get('type')) ?? 'LATEST';
  if (type === 'ITEM') return code ? { category, type, code } : { category, type: 'LATEST', code: null };
  return { category, type: type === 'FOLLOW' && !isMember ? 'LATEST' : type, code: null };
}

export function searchOf({ category, type, code }: Feed): Record<string, string> {
  return {
    ...(category !== 'ALL' && { category }),
    ...(type !== 'LATEST' && { type }),
    ...(code !== null && { code }),
  };
}

let lastSearch = '';

/** Remembers how the list was filtered, because a detail leads back to it. */
export function rememberFeed(search: string): void {
  lastSearch = search;
}

export function lastFeedHref(): string {
  return communityPaths.home + lastSearch;
}
