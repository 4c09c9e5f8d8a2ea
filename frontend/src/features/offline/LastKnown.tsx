import { hashKey, type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { ApiProblem, NETWORK_CODE } from '@/shared/api/apiProblem';
import { memberSid, onSessionChange } from '@/shared/api/session';
import { setLastKnownAt } from '@/shared/api/lastKnownAt';
import { state } from '@/shared/copy/copy.shared';
import { showSnackbar } from '@/shared/ui/snackbarStore';
import { buildOfPage, wipeLastKnown, type KnownEntry, type Owner, readLastKnown, writeLastKnown } from './lastKnown';

const WRITE_AFTER_MS = 2_000;
const OFFLINE = new ApiProblem({ code: NETWORK_CODE, reason: 'NETWORK' });

/** Persists the last data of the screens and restores it, read-only, when the app is opened offline. */
export function LastKnown() {
  const queryClient = useQueryClient();
  useEffect(() => {
    const stops = [keep(queryClient), restoreWhileOffline(queryClient), wipeWithSession()];
    return () => stops.forEach((stop) => stop());
  }, [queryClient]);
  return null;
}

function owner(): Owner {
  return { memberSid: memberSid(), build: buildOfPage() };
}

function keep(queryClient: QueryClient): () => void {
  const write = () => {
    clearTimeout(timer);
    timer = undefined;
    const known = queryClient.getQueryCache().getAll().filter(({ state: of }) => of.status === 'success' && of.data !== undefined);
    if (known.length === 0) return;
    const fresh = known.map<KnownEntry>(({ queryKey, state: of }) => ({ key: queryKey, atMs: of.dataUpdatedAt, data: of.data }));
    const hashes = new Set(known.map(({ queryHash }) => queryHash));
    // Screens not visited this time keep their earlier data.
    const earlier = readLastKnown(owner(), Date.now()).filter(({ key }) => !hashes.has(hashKey(key)));
    writeLastKnown(owner(), [...fresh, ...earlier]);
  };
  // The first screen may have been answered before this listened.
  let timer: ReturnType<typeof setTimeout> | undefined = setTimeout(write, WRITE_AFTER_MS);
  const onHidden = () => {
    if (timer !== undefined) write();
  };
  const stop = queryClient.getQueryCache().subscribe((event) => {
    if (event.type === 'updated' && event.action.type === 'success' && !event.action.manual) timer ??= setTimeout(write, WRITE_AFTER_MS);
  });
  window.addEventListener('pagehide', onHidden);
  const stopSession = onSessionChange(() => {
    clearTimeout(timer);
    timer = undefined;
  });
  return () => {
    clearTimeout(timer);
    window.removeEventListener('pagehide', onHidden);
    stop();
    stopSession();
  };
}

function restoreWhileOffline(queryClient: QueryClient): () => void {
  const cache = queryClient.getQueryCache();
  let known: Map<string, KnownEntry> | null = null;
  /** Restored data without a newer reply: its time, by query hash. */
  const restored = new Map<string, number>();
  const restore = () => {
    if (navigator.onLine) return;
    known ??= new Map(readLastKnown(owner(), Date.now()).map((entry) => [hashKey(entry.key), entry]));
    for (const query of cache.getAll()) {
      if (query.state.data !== undefined) continue;
      const entry = known.get(query.queryHash);
      if (entry === undefined) {
        // A query that waits for the connection would show a spinner for ever; it fails instead and is retried later.
        if (query.state.status === 'pending' && query.state.fetchStatus === 'paused') query.setState({ status: 'error', error: OFFLINE });
        continue;
      }
      restored.set(query.queryHash, entry.atMs);
      queryClient.setQueryData(query.queryKey, entry.data, { updatedAt: entry.atMs });
    }
    // Only the data on the screen counts.
    const shownMs = cache.findAll({ type: 'active' }).flatMap(({ queryHash }) => restored.get(queryHash) ?? []);
    setLastKnownAt(shownMs.length === 0 ? null : new Date(Math.min(...shownMs)));
  };
  let isScheduled = false;
  const schedule = () => {
    if (isScheduled || navigator.onLine) return;
    isScheduled = true;
    // Queries are registered during render, so their data is set a moment later.
    setTimeout(() => {
      isScheduled = false;
      restore();
    });
  };
  const onOnline = () => {
    known = null;
    restored.clear();
    setLastKnownAt(null);
    showSnackbar(state.backOnline);
    void refetchActive(queryClient);
  };
  schedule();
  const stop = cache.subscribe((event) => {
    if (CHANGES_OF_SCREEN.has(event.type)) schedule();
  });
  window.addEventListener('online', onOnline);
  window.addEventListener('offline', schedule);
  return () => {
    stop();
    window.removeEventListener('online', onOnline);
    window.removeEventListener('offline', schedule);
  };
}

const CHANGES_OF_SCREEN: ReadonlySet<string> = new Set(['added', 'updated', 'observerAdded', 'observerRemoved']);

/**
 * Retries failed queries and refetches restored data. Queries that failed before the connection was lost restart their retries
 * instead of waiting for the backoff.
 */
async function refetchActive(queryClient: QueryClient): Promise<void> {
  await queryClient.cancelQueries({
    predicate: ({ state: of }) => of.fetchStatus === 'fetching' && of.fetchFailureCount > 0,
  });
  // The library refetches by itself when the network is back; those requests are not repeated.
  await queryClient.invalidateQueries(undefined, { cancelRefetch: false });
}

function wipeWithSession(): () => void {
  // Wipes the data of another member at once, not only when it would be read.
  readLastKnown(owner(), Date.now());
  return onSessionChange(() => {
    wipeLastKnown();
    setLastKnownAt(null);
  });
}
