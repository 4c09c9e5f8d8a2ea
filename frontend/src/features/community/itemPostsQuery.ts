import { queryOptions } from '@tanstack/react-query';
import { LIST_STALE_TIME_MS, own } from './queryParts';
import { fetchFeed } from './feedApi';

/** The newest posts about an instrument. */
export function itemPostsQuery(memberSid: number | null, code: string, size: number) {
  return queryOptions({
    queryKey: [...own(memberSid), 'item', code, size],
    queryFn: ({ signal }) => fetchFeed({ memberSid, category: 'ALL', type: 'ITEM', code, size, cursor: null }, signal),
    staleTime: LIST_STALE_TIME_MS,
  });
}
