import type { Category } from './assets';

/**
 * Query keys shared by features. Everything below `account` is private to one member and dropped when the session ends; an
 * order or a fill invalidates all of it.
 */
export const queryKeys = {
  account: (memberSid: number) => ['acct', memberSid] as const,
  accountAll: ['acct'] as const,
  member: (memberSid: number) => ['acct', memberSid, 'member'] as const,
  assets: (memberSid: number) => ['acct', memberSid, 'assets'] as const,
  holdings: (memberSid: number, category: Category) => ['acct', memberSid, 'holdings', category] as const,
  holding: (memberSid: number, category: Category, code: string) => ['acct', memberSid, 'holdings', category, code] as const,
  waiting: (memberSid: number, category: Category) => ['acct', memberSid, 'waiting', category] as const,
  waitingFor: (memberSid: number, category: Category, code: string) => ['acct', memberSid, 'waiting', category, code] as const,
  orderTerms: (memberSid: number, code: string) => ['acct', memberSid, 'order-terms', code] as const,
  likes: (memberSid: number) => ['acct', memberSid, 'likes'] as const,
  market: ['market'] as const,
  popular: ['market', 'popular'] as const,
  /** What is learned; a member's own part is below their id, and dropped with the session. */
  learn: ['learn'] as const,
  /** What members write, as the viewer may see it; dropped with the session. */
  community: ['community'] as const,
};
