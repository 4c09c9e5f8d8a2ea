// The wire types of learning under the client's names.
import type { components } from '@/shared/api/schema';
import type { FigureData } from './figure/figureData';

type Schemas = components['schemas'];

/** A reply as it is sent: every field is there, null where it has no value, and a figure has the data that the client draws. */
export type Sent<T> = T extends readonly (infer Row)[]
  ? Sent<Row>[]
  : T extends object
    ? { [Field in keyof T]-?: Field extends 'figure' ? FigureData | null : Sent<T[Field]> }
    : T;

export const LEVELS = ['EASY', 'NORMAL', 'HARD'] as const satisfies readonly Level[];
export type Level = Schemas['Level'];

/** A quiz as handed out; what reveals its answer is null until it is answered. */
export type Quiz = Sent<Schemas['Quiz']>;
export type QuizType = Quiz['type'];
export type StudyResult = Sent<Schemas['StudyResult']>;
export type Daily = Sent<Schemas['Daily']>;
export type ThemeMeta = Sent<Schemas['Theme']>;
export type Streak = Sent<Schemas['Streak']>;
export type Progress = Sent<Schemas['Progress']>;
export type ArticleCardData = Sent<Schemas['ArticleCard']>;
export type ArticlePage = Sent<Schemas['ArticlePage']>;
export type Article = Sent<Schemas['Article']>;
export type Completion = Sent<Schemas['Completion']>;
export type FoundArticle = Sent<Schemas['ArticleHit']>;
export type Term = Sent<Schemas['Term']>;

export const CARD_KINDS = ['SLIPPAGE', 'EXCHANGE', 'WAITED', 'PARTIAL', 'TAX', 'FEE', 'EARLY_CLOSE', 'CONCENTRATION'] as const satisfies readonly CardKind[];
export type CardKind = Schemas['CardKind'];
export type TradeCard = Sent<Schemas['TradeCard']>;
export type OrderCard = Sent<Schemas['OrderCard']>;
export type ContractCard = Sent<Schemas['ContractCard']>;
export type ConcentrationCard = Sent<Schemas['ConcentrationCard']>;

export type CalendarDay = Sent<Schemas['CalendarDay']>;
export type Calendar = Sent<Schemas['Calendar']>;
export type RestDay = Sent<Schemas['RestDay']>;
