import type { QueryClient } from '@tanstack/react-query';
import { queryKeys } from '@/shared/api/queryKeys';

/** What an answer changes. Decks and the article that is being read stay: refetching them would hand them out again. */
const CHANGED = ['daily', 'progress', 'themes', 'articles', 'calendar', 'cards'] as const;

/** The points credited by trading follow within a second. */
const CREDITED_AFTER_MS = 1_500;

/** Refetches what an answer or a completed article changes, and the member's balance of points. */
export function afterStudy(queryClient: QueryClient, memberSid: number): void {
  for (const part of CHANGED) void queryClient.invalidateQueries({ queryKey: [...queryKeys.learn, memberSid, part] });
  setTimeout(() => void queryClient.invalidateQueries({ queryKey: queryKeys.account(memberSid), predicate: ({ queryKey }) => queryKey.includes('points') }), CREDITED_AFTER_MS);
}
