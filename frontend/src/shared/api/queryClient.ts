import { onlineManager, QueryClient } from '@tanstack/react-query';
import { ApiProblem } from './apiProblem';

const FRESH_MS = 5 * 60_000;
const RETRIES = 3;

/** Spread into queries of money: always asked anew, because a stale balance misleads. */
export const moneyQuery = { staleTime: 0 } as const;

/** Three retries and five fresh minutes; a refusal is final; money is never sent twice or later by the library. */
export function createQueryClient(): QueryClient {
  // The library believes in a connection until it hears of its loss; whoever opens the app without one never loses it.
  onlineManager.setOnline(navigator.onLine);
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: FRESH_MS,
        retry: (failures, error) => failures < RETRIES && isWorthRetrying(error),
      },
      mutations: { retry: 0, networkMode: 'always' },
    },
  });
}

function isWorthRetrying(error: unknown): boolean {
  if (!(error instanceof ApiProblem)) return true;
  const isRefusal = error.status >= 400 && error.status < 500;
  return !isRefusal;
}
