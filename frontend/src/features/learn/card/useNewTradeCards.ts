import { useQuery } from '@tanstack/react-query';
import type { TradeCard } from '@/features/learn/learnTypes';
import { type Trade, tradeCardsQuery } from './cardQueries';

/** A trade becomes a card within a second; where it is shown sooner, it is asked for again. */
const RETRY_MS = 1_500;
const TRIES = 4;

/** The cards of a trade of just now. */
export function useNewTradeCards(memberSid: number, trade: Trade): TradeCard[] {
  const { data = [] } = useQuery({
    ...tradeCardsQuery(memberSid, trade),
    refetchInterval: ({ state }) => (state.data?.length === 0 && state.dataUpdateCount < TRIES ? RETRY_MS : false),
  });
  return data;
}
