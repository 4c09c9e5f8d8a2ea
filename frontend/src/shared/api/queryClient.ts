import { onlineManager, QueryClient } from '@tanstack/react-query';
import { ApiProblem } from './apiProblem';

const STALE_TIME_MS = 5 * 60_000;
const RETRIES = 3;
/** A longer delay is reported to the member. */
const MAX_WAIT_S = 60;
/** Spreads the retries of queries that received the same delay. */
const JITTER_S = 1;
const MAX_RETRY_S = 30;

/** For queries of money: always refetched, because a stale balance misleads. */
export const moneyQuery = { staleTime: 0 } as const;

/**
 * Queries are retried three times and stay fresh for five minutes. A rejection is final unless it is a rate limit. Mutations
 * are never retried or deferred by the library.
 */
export function createQueryClient(): QueryClient {
  // The library assumes a connection until an `offline` event, which an app opened offline never gets.
  onlineManager.setOnline(navigator.onLine);
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: STALE_TIME_MS,
        retry: (failures, error) => failures < RETRIES && isRetryable(error),
        retryDelay: (failures, error) => 1_000 * (retryAfterOf(error) ?? Math.min(2 ** failures, MAX_RETRY_S)),
      },
      mutations: { retry: 0, networkMode: 'always' },
    },
  });
}

function isRetryable(error: unknown): boolean {
  if (!(error instanceof ApiProblem) || retryAfterOf(error) !== null) return true;
  const isRejection = error.status >= 400 && error.status < 500;
  return !isRejection;
}

/** The seconds to wait before a rate-limited call is repeated; null when there is no delay or it is too long. */
function retryAfterOf(error: unknown): number | null {
  return error instanceof ApiProblem && error.retryAfterS <= MAX_WAIT_S ? error.retryAfterS + Math.random() * JITTER_S : null;
}
