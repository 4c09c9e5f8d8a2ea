import { queryOptions } from '@tanstack/react-query';
import { whenPageIdle } from '@/shared/platform/whenPageIdle';
import { api, unwrap } from './client';
import type { Sparkline } from './types';

const MINUTE_MS = 60_000;
/** Codes of one call, as the route allows. */
const MAX_CODES = 100;
/** When in a minute this page asks again: all its rows at once, and not every page at the same moment. */
const PHASE_MS = Math.floor(Math.random() * MINUTE_MS);

/** How an instrument did today; null where nobody knows. It is asked for together with all others that are on the screen. */
export function sparklineQuery(code: string) {
  return queryOptions({
    queryKey: ['sparkline', code],
    queryFn: ({ signal }) => load(code, signal),
    staleTime: MINUTE_MS,
    refetchInterval: untilNextRound,
    // A decoration can wait for the next round.
    retry: false,
  });
}

function untilNextRound(): number {
  return MINUTE_MS - ((Date.now() - PHASE_MS) % MINUTE_MS);
}

interface PendingLine {
  code: string;
  signal: AbortSignal;
  resolve: (line: Sparkline | null) => void;
  reject: (error: unknown) => void;
}

let pending: PendingLine[] = [];

/** Joins the next call, which is made when the page has nothing better to do. */
function load(code: string, signal: AbortSignal): Promise<Sparkline | null> {
  return new Promise((resolve, reject) => {
    if (pending.push({ code, signal, resolve, reject }) === 1) whenPageIdle(sendAll);
  });
}

function sendAll(): void {
  // Rows that have scrolled by meanwhile need nothing.
  const wanted = pending.filter(({ signal }) => !signal.aborted);
  pending = [];
  for (let from = 0; from < wanted.length; from += MAX_CODES) void send(wanted.slice(from, from + MAX_CODES));
}

async function send(wanted: readonly PendingLine[]): Promise<void> {
  try {
    const codes = wanted.map(({ code }) => code).join(',');
    const lines = await unwrap(api.GET('/api/v1/market-trend/sparklines', { params: { query: { codes } } }));
    const byCode = new Map(lines.map((line) => [line.isuSrtCd, line]));
    for (const { code, resolve } of wanted) resolve(byCode.get(code) ?? null);
  } catch (error) {
    for (const { reject } of wanted) reject(error);
  }
}
