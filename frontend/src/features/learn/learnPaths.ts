import { paths } from '@/shared/paths';

/** The addresses of learning. They are apart from the others because only these screens link to each other. */
export const learnPaths = {
  home: paths.learn,
  themes: `${paths.learn}/quiz/theme`,
  themeQuiz: `${paths.learn}/quiz/theme/:themeSid`,
  dailyQuiz: `${paths.learn}/quiz/random`,
  review: `${paths.learn}/quiz/review`,
  articles: `${paths.learn}/articles`,
  article: `${paths.learn}/readable/:articleSid`,
  glossary: `${paths.learn}/glossary`,
  glossaryTerm: `${paths.learn}/glossary/:sid`,
  calendar: `${paths.learn}/calendar`,
} as const;

export function articleHref(sid: string): string {
  return `${paths.learn}/readable/${encodeURIComponent(sid)}`;
}

export function themeQuizHref(themeSid: string): string {
  return `${learnPaths.themes}/${encodeURIComponent(themeSid)}`;
}
