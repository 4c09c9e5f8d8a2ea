import { api, unwrap } from '@/shared/api/client';
import type { Article, ArticlePage, Calendar, Completion, Daily, FoundArticle, Progress, Quiz, RestDay, Sent, Streak, StudyResult, Term, ThemeMeta } from './learnTypes';

const VISITOR = 0;

export function fetchDaily(memberSid: number, signal: AbortSignal): Promise<Daily> {
  return sent(api.GET('/api/v1/education/daily/{id}', { params: { path: { id: memberSid } }, signal }));
}

/** Today's random set, which is handed out by the first call and the same all day. */
export function openRandomSet(memberSid: number, signal: AbortSignal): Promise<Quiz[]> {
  return sent(api.POST('/api/v1/education/dailyQuiz/random/{id}', { params: { path: { id: memberSid } }, body: {}, signal }));
}

export function openThemeSet(memberSid: number, themeSid: string, signal: AbortSignal): Promise<Quiz[]> {
  return sent(api.POST('/api/v1/education/dailyQuiz/theme/{id}', { params: { path: { id: memberSid } }, body: { themeSid }, signal }));
}

/** Cards that are due for review today. */
export function fetchReview(memberSid: number, signal: AbortSignal): Promise<Quiz[]> {
  return sent(api.GET('/api/v1/education/review/{id}', { params: { path: { id: memberSid } }, signal }));
}

export function fetchThemes(signal: AbortSignal): Promise<ThemeMeta[]> {
  return sent(api.GET('/api/v1/education/dailyQuiz/theme/meta', { signal }));
}

export function fetchProgress(memberSid: number, signal: AbortSignal): Promise<Progress> {
  return sent(api.GET('/api/v1/education/dailyQuiz/progress/v2/{id}', { params: { path: { id: memberSid } }, signal }));
}

/**
 * Answers what was handed out under `sid`; a repetition returns the first result. `answeredAt` is the time of an answer that was
 * given without a connection. Correctness and points of the path are decided by the server.
 */
export function sendAnswer(sid: number, answer: readonly string[], answeredAt: string | null = null): Promise<StudyResult> {
  const headers: Record<string, string> = answeredAt === null ? {} : { 'X-Answered-At': answeredAt };
  return complete(sid, answer.join('|'), false, headers);
}

export function sendSurvey(sid: number, opinion: 'GOOD' | 'BAD'): Promise<StudyResult> {
  return complete(sid, opinion, true, {});
}

function complete(studySid: number, answer: string, isSurvey: boolean, headers: Record<string, string>): Promise<StudyResult> {
  const path = { studySid, isCorrect: false, point: 0, answer, isSurvey };
  return sent(api.PUT('/api/v1/education/study-complete/{studySid}/{isCorrect}/{point}/{answer}/{isSurvey}', { params: { path }, body: {}, headers }));
}

export function fetchRecommended(memberSid: number | null, size: number, signal: AbortSignal): Promise<ArticlePage> {
  return sent(api.GET('/api/v1/education/articles/{id}', { params: { path: { id: memberSid ?? VISITOR }, query: { page: 0, size } }, signal }));
}

export type ReadingState = 'no-complete' | 'history';

export function fetchArticles(state: ReadingState, memberSid: number | null, page: number, signal: AbortSignal): Promise<ArticlePage> {
  const params = { path: { a: memberSid ?? VISITOR, b: page } };
  switch (state) {
    case 'no-complete':
      return sent(api.GET('/api/v1/education/articles/no-complete/{a}/{b}', { params, signal }));
    case 'history':
      return sent(api.GET('/api/v1/education/articles/history/{a}/{b}', { params, signal }));
  }
}

/** Opens a reading of a member, from which its 30 seconds count. */
export function openArticle(articleSid: string, memberSid: number | null, signal: AbortSignal): Promise<Article> {
  return sent(api.POST('/api/v1/education/article/get-article/{a}/{b}', { params: { path: { a: articleSid, b: memberSid ?? VISITOR } }, body: {}, signal }));
}

export function fetchCompletion(articleSid: string, signal: AbortSignal): Promise<Completion> {
  return sent(api.GET('/api/v1/education/complete/article/{articleSid}', { params: { path: { articleSid } }, signal }));
}

export function searchArticles(text: string, limit: number, signal: AbortSignal): Promise<FoundArticle[]> {
  return sent(api.GET('/api/v1/education/articles/search/{text}/{limit}', { params: { path: { text, limit } }, signal }));
}

export function fetchGlossary(text: string, signal: AbortSignal): Promise<Term[]> {
  return sent(api.GET('/api/v1/education/glossary', { params: { query: text === '' ? {} : { text } }, signal }));
}

export function fetchTerm(sid: string, signal: AbortSignal): Promise<Term> {
  return sent(api.GET('/api/v1/education/glossary/{termSid}', { params: { path: { termSid: sid } }, signal }));
}

export function fetchCalendar(memberSid: number, month: string, signal: AbortSignal): Promise<Calendar> {
  return sent(api.GET('/api/v1/education/calendar/{id}', { params: { path: { id: memberSid }, query: { month } }, signal }));
}

export function repairStreak(memberSid: number, reqSid: string): Promise<Streak> {
  return sent(api.POST('/api/v1/education/streak/repair/{id}', { params: { path: { id: memberSid } }, body: { reqSid } }));
}

export function chooseRestDay(memberSid: number, weekday: number | null): Promise<RestDay> {
  return sent(api.PUT('/api/v1/education/rest-day/{id}', { params: { path: { id: memberSid } }, body: { weekday } }));
}

/** The data of a call of learning. Throws its problem. */
export function sent<T>(call: Promise<{ data?: T; error?: unknown; response: Response }>): Promise<Sent<T>> {
  return unwrap(call) as Promise<Sent<T>>;
}
