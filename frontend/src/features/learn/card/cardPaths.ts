import { paths } from '@/shared/paths';
import type { CardKind, TradeCard } from '@/features/learn/learnTypes';

export const CARD_QUIZ = `${paths.learn}/quiz/card/:subject/:cardKind`;

export function cardQuizHref(card: TradeCard): string {
  return `${paths.learn}/quiz/card/${subjectOf(card)}/${card.kind.toLowerCase()}`;
}

/** What a card of this kind is about: an order, a contract or an instrument. */
const SUBJECTS = { EARLY_CLOSE: /^\d{12}$/, CONCENTRATION: /^[A-Za-z0-9.-]{1,20}$/ } as const;
const ORDER = /^[1-9]\d{0,14}$/;

export function isCardSubject(kind: CardKind, subject: string): boolean {
  const pattern = kind === 'EARLY_CLOSE' || kind === 'CONCENTRATION' ? SUBJECTS[kind] : ORDER;
  return pattern.test(subject);
}

function subjectOf(card: TradeCard): string {
  switch (card.kind) {
    case 'EARLY_CLOSE':
      return card.acno;
    case 'CONCENTRATION':
      return card.isuSrtCd;
    default:
      return String(card.orderSid);
  }
}
