import { paths } from '@/shared/paths';
import type { CardKind } from '@/features/learn/learnTypes';

export const CARD_QUIZ = `${paths.learn}/quiz/card/:orderSid/:cardKind`;

export function cardQuizHref(orderSid: number, kind: CardKind): string {
  return `${paths.learn}/quiz/card/${orderSid}/${kind.toLowerCase()}`;
}
