import type { FigureData } from './figure/figureData';

export const LEVELS = ['EASY', 'NORMAL', 'HARD'] as const;
export type Level = (typeof LEVELS)[number];

export type QuizType = 'SINGLE' | 'MULTIPLE' | 'OX' | 'NUMBER';

/** A quiz as handed out; what reveals its answer is null until it is answered. */
export interface Quiz {
  memberEducationSid: number;
  eduSid: string;
  type: QuizType;
  title: string;
  question: string;
  answerOption: Record<string, string>;
  answerCount: number;
  hint: string;
  level: Level;
  themeSid: string;
  themeName: string;
  figure: FigureData | null;
  source: string;
  asOf: string;
  isSubmit: boolean;
  isCorrect: boolean | null;
  /** Earns nothing: a review, or a fourth theme of the day. */
  isPractice: boolean;
  inputAnswer: string[] | null;
  answer: string[] | null;
  answerDescription: string | null;
  optionDescription: Record<string, string> | null;
  point: number | null;
}

/** The result of an answer. */
export interface StudyResult {
  isCorrect: boolean;
  answer: string[];
  answerDescription: string;
  optionDescription: Record<string, string>;
  /** Points granted for this answer. */
  point: number;
  /** Points granted because it completed the set. */
  setBonus: number;
  memberPoint: number;
  triedQuizCount: number;
  correctQuizCount: number;
  streak: number;
  isDailyStudyDone: boolean;
  nextReviewOn: string | null;
}

export interface Daily {
  date: string;
  random: { setSid: number; done: number; total: number; isDone: boolean };
  themes: { themeSid: string; setSid: number; done: number; total: number; isDone: boolean }[];
  points: number;
  cap: number;
  isDailyStudyDone: boolean;
}

export interface ThemeMeta {
  themeSid: string;
  name: string;
  description: string;
  total: number;
  levels: { level: Level; total: number }[];
  done: number | null;
  mastery: number | null;
}

export interface Streak {
  current: number;
  best: number;
  freezes: number;
  atRiskUntil: string | null;
  restWeekday: number | null;
  nextRestWeekday: number | null;
  nextRestFrom: string | null;
  repair: { date: string; streak: number; points: number; until: string } | null;
}

export interface Progress {
  today: { done: number; total: number; points: number; cap: number; isDailyStudyDone: boolean };
  streak: Streak;
  themes: { id: string; name: string; done: number; total: number; mastery: number }[];
  review: { due: number; nextAt: string | null };
  stats: { triedQuizCount: number; correctQuizCount: number; memberPoint: number };
}

export interface ArticleCardData {
  articleSid: string;
  title: string;
  summary: string;
  /** The theme's name. */
  educationTitle: string;
  themeSid: string;
  level: Level;
  minutes: number;
  figure: FigureData | null;
  isComplete: boolean;
  completedAt: string | null;
}

export interface ArticlePage {
  rows: ArticleCardData[];
  page: number;
  hasNext: boolean;
  total: number;
}

export interface Article extends ArticleCardData {
  body: string;
  source: string;
  asOf: string;
  /** The reading that was opened; null for a visitor. */
  memberEducationSid: number | null;
  /** What completing it brings now. */
  point: number;
  survey: 'GOOD' | 'BAD' | null;
  related: ArticleCardData[];
  terms: Term[];
}

export interface Completion {
  isComplete: boolean;
  canComplete: boolean;
  secondsLeft: number;
  question: string;
  answerOption: Record<string, string>;
}

export interface FoundArticle {
  sid: string;
  educationTitle: string;
  title: string;
  figure: FigureData | null;
  snippet: { text: string; isMatch: boolean }[];
}

export interface Term {
  sid: string;
  word: string;
  gist: string;
  text: string;
  themeSid: string;
  themeName: string;
  aliases: string[];
}

export const CARD_KINDS = ['SLIPPAGE', 'EXCHANGE', 'WAITED', 'PARTIAL', 'TAX', 'FEE'] as const;
export type CardKind = (typeof CARD_KINDS)[number];

/** A lesson with the numbers of an own order. */
export interface TradeCard {
  kind: CardKind;
  orderSid: number;
  isuKorNm: string;
  orderCategory: 'STOCK' | 'COIN' | 'GOLD';
  isSale: boolean;
  /** What it cost, as on the receipt; of WAITED and PARTIAL the filled amount. */
  won: number;
  /** The most of one fill. */
  slippageTicks: number;
  fillCount: number;
  filledQty: number;
  limitPrc: number | null;
  currency: 'KRW' | 'USD';
  term: Term | null;
  articleSid: string;
  articleTitle: string;
  articleSummary: string;
  /** Its quiz was not answered within a week. */
  isDue: boolean;
}

export interface CalendarDay {
  date: string;
  points: number;
  answered: number;
  correct: number;
  sets: number;
  articles: number;
  streak: 'DONE' | 'REST' | 'FREEZE' | 'REPAIRED' | 'MISSED' | null;
}

export interface Calendar {
  month: string;
  days: CalendarDay[];
}

export interface RestDay {
  weekday: number | null;
  nextWeekday: number | null;
  nextFrom: string | null;
}
