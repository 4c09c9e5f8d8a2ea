import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { queryKeys } from '@/shared/api/queryKeys';

/** Parts of one order may fill many times a second. */
const PAUSE_MS = 1_000;

interface AccountRefetcher {
  /**
   * Refetches balances, holdings and orders: at once, or once after a pause for all calls within it. With `beforeMs`, only data
   * fetched before that time, and no query that is already being fetched.
   */
  refetch: (beforeMs?: number) => void;
  stop: () => void;
}

/** Of the whole account, or of the part of it below a key. */
export function createAccountRefetcher(queryClient: QueryClient, queryKey: QueryKey = queryKeys.accountAll): AccountRefetcher {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let nextBeforeMs: number | null = null;

  function refetch(beforeMs = Infinity): void {
    if (timer !== undefined) {
      nextBeforeMs = Math.max(nextBeforeMs ?? 0, beforeMs);
      return;
    }
    timer = setTimeout(afterPause, PAUSE_MS);
    void queryClient.invalidateQueries(
      { queryKey, predicate: ({ state }) => state.dataUpdatedAt < beforeMs },
      { cancelRefetch: beforeMs === Infinity },
    );
  }

  function afterPause(): void {
    timer = undefined;
    const beforeMs = nextBeforeMs;
    nextBeforeMs = null;
    if (beforeMs !== null) refetch(beforeMs);
  }

  return { refetch, stop: () => clearTimeout(timer) };
}
