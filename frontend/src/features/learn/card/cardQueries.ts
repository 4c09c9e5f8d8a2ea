import { queryOptions } from '@tanstack/react-query';
import { sent } from '@/features/learn/learnApi';
import { memberKey } from '@/features/learn/learnQueries';
import type { CardKind, Quiz } from '@/features/learn/learnTypes';
import { api } from '@/shared/api/client';

/** A trade whose cards are asked for. */
export type Trade = { orderSid: number } | { acno: string };

/** The cards of a trade, or the newest of each kind. */
export function tradeCardsQuery(memberSid: number, trade: Trade | null) {
  return queryOptions({
    queryKey: [...memberKey(memberSid), 'cards', trade],
    staleTime: 0,
    queryFn: ({ signal }) => sent(api.GET('/api/v1/education/cards/{id}', { params: { path: { id: memberSid }, query: trade ?? {} }, signal })),
  });
}

/** The quiz of a card, which is handed out by the first call and the same all day. */
export function openCardQuiz(memberSid: number, kind: CardKind, subject: string, signal: AbortSignal): Promise<Quiz[]> {
  return sent(api.POST('/api/v1/education/cards/{id}/quiz', { params: { path: { id: memberSid } }, body: { ...about(kind, subject), kind }, signal }));
}

function about(kind: CardKind, subject: string) {
  switch (kind) {
    case 'EARLY_CLOSE':
      return { acno: subject };
    case 'CONCENTRATION':
      return { isuSrtCd: subject };
    default:
      return { orderSid: Number(subject) };
  }
}
