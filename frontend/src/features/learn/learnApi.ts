import { unwrap } from '@/shared/api/client';
import { plainJson } from '@/shared/api/plainJson';
import { sessionFetch } from '@/shared/api/sessionFetch';
import type { Article, ArticlePage, Calendar, Completion, Daily, FoundArticle, Progress, Quiz, RestDay, Streak, StudyResult, Term, ThemeMeta } from './learnTypes';

const VISITOR = 0;

export function fetchDaily(memberSid: number, signal: AbortSignal): Promise<Daily> {
  return call('GET', `daily/${memberSid}`, { signal });
}

/** Today's random set, which is handed out by the first call and the same all day. */
export function openRandomSet(memberSid: number, signal: AbortSignal): Promise<Quiz[]> {
  return call('POST', `dailyQuiz/random/${memberSid}`, { body: {}, signal });
}

export function openThemeSet(memberSid: number, themeSid: string, signal: AbortSignal): Promise<Quiz[]> {
  return call('POST', `dailyQuiz/theme/${memberSid}`, { body: { themeSid }, signal });
}

/** Cards that are due for review today. */
export function fetchReview(memberSid: number, signal: AbortSignal): Promise<Quiz[]> {
  return call('GET', `review/${memberSid}`, { signal });
}

export function fetchThemes(signal: AbortSignal): Promise<ThemeMeta[]> {
  return call('GET', 'dailyQuiz/theme/meta', { signal });
}

export function fetchProgress(memberSid: number, signal: AbortSignal): Promise<Progress> {
  return call('GET', `dailyQuiz/progress/v2/${memberSid}`, { signal });
}

/**
 * Answers what was handed out under `sid`; a repetition returns the first result. `answeredAt` is the time of an answer that was
 * given without a connection. Correctness and points of the path are decided by the server.
 */
export function sendAnswer(sid: number, answer: readonly string[], answeredAt: string | null = null): Promise<StudyResult> {
  const headers: Record<string, string> = answeredAt === null ? {} : { 'X-Answered-At': answeredAt };
  return call('PUT', `study-complete/${sid}/false/0/${encodeURIComponent(answer.join('|'))}/false`, { body: {}, headers });
}

export function sendSurvey(sid: number, opinion: 'GOOD' | 'BAD'): Promise<StudyResult> {
  return call('PUT', `study-complete/${sid}/false/0/${opinion}/true`, { body: {} });
}

export function fetchRecommended(memberSid: number | null, size: number, signal: AbortSignal): Promise<ArticlePage> {
  return call('GET', `articles/${memberSid ?? VISITOR}?page=0&size=${size}`, { signal });
}

export type ReadingState = 'no-complete' | 'history';

export function fetchArticles(state: ReadingState, memberSid: number | null, page: number, signal: AbortSignal): Promise<ArticlePage> {
  return call('GET', `articles/${state}/${memberSid ?? VISITOR}/${page}`, { signal });
}

/** Opens a reading of a member, from which its 30 seconds count. */
export function openArticle(articleSid: string, memberSid: number | null, signal: AbortSignal): Promise<Article> {
  return call('POST', `article/get-article/${encodeURIComponent(articleSid)}/${memberSid ?? VISITOR}`, { body: {}, signal });
}

export function fetchCompletion(articleSid: string, signal: AbortSignal): Promise<Completion> {
  return call('GET', `complete/article/${encodeURIComponent(articleSid)}`, { signal });
}

export function searchArticles(text: string, limit: number, signal: AbortSignal): Promise<FoundArticle[]> {
  return call('GET', `articles/search/${encodeURIComponent(text)}/${limit}`, { signal });
}

export function fetchGlossary(text: string, signal: AbortSignal): Promise<Term[]> {
  return call('GET', `glossary${text === '' ? '' : `?text=${encodeURIComponent(text)}`}`, { signal });
}

export function fetchTerm(sid: string, signal: AbortSignal): Promise<Term> {
  return call('GET', `glossary/${encodeURIComponent(sid)}`, { signal });
}

export function fetchCalendar(memberSid: number, month: string, signal: AbortSignal): Promise<Calendar> {
  return call('GET', `calendar/${memberSid}?month=${month}`, { signal });
}

export function repairStreak(memberSid: number, reqSid: string): Promise<Streak> {
  return call('POST', `streak/repair/${memberSid}`, { body: { reqSid } });
}

export function chooseRestDay(memberSid: number, weekday: number | null): Promise<RestDay> {
  return call('PUT', `rest-day/${memberSid}`, { body: { weekday } });
}

interface CallOptions {
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** Calls a route of learning. */
export function call<T>(method: string, path: string, { body, headers = {}, signal }: CallOptions): Promise<T> {
  const request = new Request(`${location.origin}/api/v1/education/${path}`, {
    method,
    headers: body === undefined ? headers : { ...headers, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: plainJson(body) }),
    ...(signal ? { signal } : {}),
  });
  return unwrap<T>(
    sessionFetch(request).then(async (response) => {
      const read = (await response.json().catch(() => null)) as T;
      return response.ok ? { data: read, response } : { error: read, response };
    }),
  );
}
