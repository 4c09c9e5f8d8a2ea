import { queryOptions } from '@tanstack/react-query';
import { call } from '@/features/learn/learnApi';
import { own } from '@/features/learn/learnQueries';
import type { CardKind, Quiz, TradeCard } from '@/features/learn/learnTypes';

/** The cards of an order, or the newest of each kind. */
export function tradeCardsQuery(memberSid: number, orderSid: number | null) {
  return queryOptions({
    queryKey: [...own(memberSid), 'cards', orderSid],
    staleTime: 0,
    queryFn: ({ signal }) => call<TradeCard[]>('GET', `cards/${memberSid}${orderSid === null ? '' : `?orderSid=${orderSid}`}`, { signal }),
  });
}

/** The quiz of a card, which is handed out by the first call and the same all day. */
export function openCardQuiz(memberSid: number, orderSid: number, kind: CardKind, signal: AbortSignal): Promise<Quiz[]> {
  return call('POST', `cards/${memberSid}/quiz`, { body: { orderSid, kind }, signal });
}
