import { queryOptions } from '@tanstack/react-query';
import { sent } from '@/features/learn/learnApi';
import { own } from '@/features/learn/learnQueries';
import type { CardKind, Quiz } from '@/features/learn/learnTypes';
import { api } from '@/shared/api/client';

/** The cards of an order, or the newest of each kind. */
export function tradeCardsQuery(memberSid: number, orderSid: number | null) {
  return queryOptions({
    queryKey: [...own(memberSid), 'cards', orderSid],
    staleTime: 0,
    queryFn: ({ signal }) => sent(api.GET('/api/v1/education/cards/{id}', { params: { path: { id: memberSid }, query: orderSid === null ? {} : { orderSid } }, signal })),
  });
}

/** The quiz of a card, which is handed out by the first call and the same all day. */
export function openCardQuiz(memberSid: number, orderSid: number, kind: CardKind, signal: AbortSignal): Promise<Quiz[]> {
  return sent(api.POST('/api/v1/education/cards/{id}/quiz', { params: { path: { id: memberSid } }, body: { orderSid, kind }, signal }));
}
