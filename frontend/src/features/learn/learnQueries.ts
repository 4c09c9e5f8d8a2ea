import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { queryKeys } from '@/shared/api/queryKeys';
import {
  fetchArticles, fetchCalendar, fetchCompletion, fetchDaily, fetchGlossary, fetchProgress, fetchRecommended, fetchReview, fetchTerm, fetchThemes, openArticle, openRandomSet,
  openThemeSet, type ReadingState, searchArticles,
} from './learnApi';
import type { CardKind } from './learnTypes';

/** The set that a deck runs through: today's random one, one of a theme, the cards due for review, or the question of an own trade. */
export type Deck = { kind: 'random' } | { kind: 'theme'; themeSid: string } | { kind: 'review' } | { kind: 'card'; subject: string; cardKind: CardKind };

/** Content changes with a release of the product. */
const CONTENT_STALE_MS = 60 * 60_000;
/** What a member has done is refetched on arrival, because another phone may have gone on. */
const DONE_STALE_MS = 0;
const SEARCH_LIMIT = 15;

/** Key prefix of what belongs to one member, or to a visitor. */
export const memberKey = (memberSid: number | null) => [...queryKeys.learn, memberSid] as const;

export function dailyQuery(memberSid: number) {
  return queryOptions({ queryKey: [...memberKey(memberSid), 'daily'], staleTime: DONE_STALE_MS, queryFn: ({ signal }) => fetchDaily(memberSid, signal) });
}

export function progressQuery(memberSid: number) {
  return queryOptions({ queryKey: [...memberKey(memberSid), 'progress'], staleTime: DONE_STALE_MS, queryFn: ({ signal }) => fetchProgress(memberSid, signal) });
}

export function themesQuery(memberSid: number | null) {
  return queryOptions({ queryKey: [...memberKey(memberSid), 'themes'], staleTime: DONE_STALE_MS, queryFn: ({ signal }) => fetchThemes(signal) });
}

/** The quizzes of a deck on a Korean day (`20261120`). A set is the same all day, so it is not refetched while it is open. */
export function deckQuery(memberSid: number, deck: Deck, day: string) {
  return queryOptions({
    queryKey: [...memberKey(memberSid), 'deck', day, deck],
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    queryFn: ({ signal }) => {
      switch (deck.kind) {
        case 'random':
          return openRandomSet(memberSid, signal);
        case 'theme':
          return openThemeSet(memberSid, deck.themeSid, signal);
        case 'review':
          return fetchReview(memberSid, signal);
        case 'card':
          return import(/* webpackChunkName: "trade-cards" */ './card/cardQueries').then(({ openCardQuiz }) => openCardQuiz(memberSid, deck.cardKind, deck.subject, signal));
      }
    },
  });
}

export function recommendedQuery(memberSid: number | null, size: number) {
  return queryOptions({ queryKey: [...memberKey(memberSid), 'articles', 'recommended', size], queryFn: ({ signal }) => fetchRecommended(memberSid, size, signal) });
}

export function articlesQuery(memberSid: number | null, state: ReadingState) {
  return infiniteQueryOptions({
    queryKey: [...memberKey(memberSid), 'articles', state],
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) => fetchArticles(state, memberSid, pageParam, signal),
    getNextPageParam: ({ page, hasNext }) => (hasNext ? page + 1 : undefined),
  });
}

/**
 * An article. Fetching it is a POST that starts the 30 seconds of a member's reading; it is sent when the article is missing from the
 * cache or older than its `staleTime`.
 */
export function articleQuery(memberSid: number | null, articleSid: string) {
  return queryOptions({
    queryKey: [...memberKey(memberSid), 'article', articleSid],
    staleTime: CONTENT_STALE_MS,
    refetchOnWindowFocus: false,
    queryFn: ({ signal }) => openArticle(articleSid, memberSid, signal),
  });
}

export function completionQuery(memberSid: number, articleSid: string) {
  return queryOptions({ queryKey: [...memberKey(memberSid), 'completion', articleSid], staleTime: DONE_STALE_MS, queryFn: ({ signal }) => fetchCompletion(articleSid, signal) });
}

/** `search` in the key keeps results out of what is stored for offline use. */
export function articleSearchQuery(text: string) {
  return queryOptions({ queryKey: [...queryKeys.learn, 'search', text], enabled: text !== '', queryFn: ({ signal }) => searchArticles(text, SEARCH_LIMIT, signal) });
}

export function glossaryQuery(text: string) {
  return queryOptions({
    queryKey: [...queryKeys.learn, text === '' ? 'glossary' : 'search', 'terms', text],
    staleTime: CONTENT_STALE_MS,
    queryFn: ({ signal }) => fetchGlossary(text, signal),
  });
}

export function termQuery(sid: string) {
  return queryOptions({ queryKey: [...queryKeys.learn, 'term', sid], staleTime: CONTENT_STALE_MS, queryFn: ({ signal }) => fetchTerm(sid, signal) });
}

/** The days of a month (`2026-11`) in Korea. */
export function calendarQuery(memberSid: number, month: string) {
  return queryOptions({ queryKey: [...memberKey(memberSid), 'calendar', month], staleTime: DONE_STALE_MS, queryFn: ({ signal }) => fetchCalendar(memberSid, month, signal) });
}
