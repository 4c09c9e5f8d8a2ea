import { onlineManager, QueryClient } from '@tanstack/react-query';
import { ApiProblem } from './apiProblem';

const STALE_TIME_MS = 5 * 60_000;
const RETRIES = 3;
/** Whoever has to wait longer is told so. */
const MAX_WAIT_S = 60;
/** The queries of a screen that were told the same do not come back in the same moment. */
const JITTER_S = 1;
const MAX_RETRY_S = 30;

/** Spread into queries of money: always asked anew, because a stale balance misleads. */
export const moneyQuery = { staleTime: 0 } as const;

/** Three retries and five fresh minutes; a refusal is final unless it was for the number of calls; money is never sent twice or later by the library. */
export function createQueryClient(): QueryClient {
  // The library believes in a connection until it hears of its loss; whoever opens the app without one never loses it.
  onlineManager.setOnline(navigator.onLine);
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: STALE_TIME_MS,
        retry: (failures, error) => failures < RETRIES && isWorthRetrying(error),
        retryDelay: (failures, error) => 1_000 * (retryAfterOf(error) ?? Math.min(2 ** failures, MAX_RETRY_S)),
      },
      mutations: { retry: 0, networkMode: 'always' },
    },
  });
}

function isWorthRetrying(error: unknown): boolean {
  if (!(error instanceof ApiProblem) || retryAfterOf(error) !== null) return true;
  const isRefusal = error.status >= 400 && error.status < 500;
  return !isRefusal;
}

/** The seconds that the server asks to wait before the same call is sent again; null where it does not, or for too long. */
function retryAfterOf(error: unknown): number | null {
  return error instanceof ApiProblem && error.retryAfterS <= MAX_WAIT_S ? error.retryAfterS + Math.random() * JITTER_S : null;
}
