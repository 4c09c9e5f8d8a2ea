import { hashKey, type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { ApiProblem, NETWORK_CODE } from '@/shared/api/apiProblem';
import { memberSid, onSessionChange } from '@/shared/api/session';
import { setLastKnownAt } from '@/shared/api/lastKnownAt';
import { state } from '@/shared/copy/copy.shared';
import { showSnackbar } from '@/shared/ui/snackbarStore';
import { buildOfPage, forgetLastKnown, type KnownEntry, type Owner, readLastKnown, writeLastKnown } from './lastKnown';

const WRITE_AFTER_MS = 2_000;
const OFFLINE = new ApiProblem({ code: NETWORK_CODE, reason: 'NETWORK' });

/** Keeps what the screens last knew, and shows it again, read only, to whoever comes back without a connection. */
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
    // Screens not visited this time keep what they knew the last time.
    const earlier = readLastKnown(owner(), Date.now()).filter(({ key }) => !hashes.has(hashKey(key)));
    writeLastKnown(owner(), [...fresh, ...earlier]);
  };
  // The first screen was answered before anybody listened here.
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
  /** What was kept from an earlier visit and is nothing newer yet, with its time, by the query's hash. */
  const restored = new Map<string, number>();
  const restore = () => {
    if (navigator.onLine) return;
    known ??= new Map(readLastKnown(owner(), Date.now()).map((entry) => [hashKey(entry.key), entry]));
    for (const query of cache.getAll()) {
      if (query.state.data !== undefined) continue;
      const entry = known.get(query.queryHash);
      if (entry === undefined) {
        // A screen that waits for the connection would turn for ever; it says what is wrong instead, and asks again later.
        if (query.state.status === 'pending' && query.state.fetchStatus === 'paused') query.setState({ status: 'error', error: OFFLINE });
        continue;
      }
      restored.set(query.queryHash, entry.atMs);
      queryClient.setQueryData(query.queryKey, entry.data, { updatedAt: entry.atMs });
    }
    // Only what is on the screen counts: another screen may have shown something older.
    const shownMs = cache.findAll({ type: 'active' }).flatMap(({ queryHash }) => restored.get(queryHash) ?? []);
    setLastKnownAt(shownMs.length === 0 ? null : new Date(Math.min(...shownMs)));
  };
  let isScheduled = false;
  const schedule = () => {
    if (isScheduled || navigator.onLine) return;
    isScheduled = true;
    // Queries announce themselves while screens render; what they get is given to them a moment later.
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
 * Screens that never got an answer ask again, and what was kept is replaced by what is true now. Whoever failed before the
 * connection went would wait out their pause between two tries, so they start over.
 */
async function refetchActive(queryClient: QueryClient): Promise<void> {
  await queryClient.cancelQueries({
    predicate: ({ state: of }) => of.fetchStatus === 'fetching' && of.fetchFailureCount > 0,
  });
  // What the library asks for by itself when the network is back is not asked for twice.
  await queryClient.invalidateQueries(undefined, { cancelRefetch: false });
}

function wipeWithSession(): () => void {
  // Whatever belongs to somebody else goes at once, not only when it would be read.
  readLastKnown(owner(), Date.now());
  return onSessionChange(() => {
    forgetLastKnown();
    setLastKnownAt(null);
  });
}
