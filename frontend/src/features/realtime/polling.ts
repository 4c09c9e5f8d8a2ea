import { ASSETS, CATEGORIES, routeOf } from '@/shared/api/assets';
import { api, unwrap } from '@/shared/api/client';
import type { Item } from '@/shared/api/types';
import { type Destination, tickFromItem, type Tick } from '@/shared/realtime/tick';

const POLL_MS = 10_000;
/** A phone shows about a dozen rows. */
const MAX_CODES = 24;
const AT_ONCE = 4;

interface PollingOptions {
  watched: () => Map<Destination, Set<string>>;
  apply: (ticks: readonly Tick[]) => void;
}

/** Polls the prices in view every ten seconds while there is no live connection. Returns the cleanup. */
export function startPolling({ watched, apply }: PollingOptions): () => void {
  const abort = new AbortController();
  const round = async () => {
    if (document.hidden) return;
    const codes = [...watched()].flatMap(([destination, set]) => [...set].map((code) => ({ destination, code })));
    const queue = codes.slice(0, MAX_CODES);
    const worker = async () => {
      for (let next = queue.shift(); next && !abort.signal.aborted; next = queue.shift()) {
        const item = await fetchItem(next.destination, next.code, abort.signal).catch(() => null);
        if (item) apply([tickFromItem(item)]);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
  };
  void round();
  const timer = setInterval(() => void round(), POLL_MS);
  return () => {
    clearInterval(timer);
    abort.abort();
  };
}

function fetchItem(destination: Destination, code: string, signal: AbortSignal): Promise<Item> {
  const category = CATEGORIES.find((known) => destination.startsWith(`/${ASSETS[known].route}/`)) ?? 'stock';
  return unwrap(api.GET(routeOf(category, '/api/v1/stock/real/code/{code}'), { params: { path: { code } }, signal }));
}
