import { queryOptions } from '@tanstack/react-query';
import { whenPageIdle } from '@/shared/platform/whenPageIdle';
import { api, unwrap } from './client';
import type { Sparkline } from './types';

const MINUTE_MS = 60_000;
/** The limit of the route. */
const MAX_CODES = 100;
/** When within a minute this page refetches: all rows at once, and not all pages at the same moment. */
const PHASE_MS = Math.floor(Math.random() * MINUTE_MS);

/** The day's line of an instrument; null when unknown. Requests of one screen are batched. */
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

/** Joins the next batch, which is sent when the page is idle. */
function load(code: string, signal: AbortSignal): Promise<Sparkline | null> {
  return new Promise((resolve, reject) => {
    if (pending.push({ code, signal, resolve, reject }) === 1) whenPageIdle(sendAll);
  });
}

function sendAll(): void {
  // Skips rows that have scrolled out meanwhile.
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
