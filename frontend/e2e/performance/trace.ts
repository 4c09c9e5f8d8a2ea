// Shared by the measurements of page work: a phone, its trace, and statistics.
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';

export const FRAME_MS = 1_000 / 60;
/** How much slower a mid-range phone is than this processor. */
export const PHONE = 4;
const TASK_LEAD_US = 2_000;

export interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  ts: number;
  tdur?: number;
  args?: { name?: string };
}

/** A separate phone with an empty page. */
export async function openMeasured(browser: Browser): Promise<{ context: BrowserContext; page: Page; session: CDPSession }> {
  const context = await browser.newContext({ viewport: { width: 412, height: 823 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true, locale: 'ko-KR' });
  const page = await context.newPage();
  return { context, page, session: await context.newCDPSession(page) };
}

/** Traces the browser while something is done. */
export async function traced(session: CDPSession, action: () => Promise<void>): Promise<TraceEvent[]> {
  const events: TraceEvent[] = [];
  const collect = ({ value }: { value: unknown[] }): void => {
    events.push(...(value as TraceEvent[]));
  };
  session.on('Tracing.dataCollected', collect);
  await session.send('Tracing.start', { categories: 'toplevel,devtools.timeline', transferMode: 'ReportEvents' });
  await action();
  const complete = new Promise<void>((resolve) => session.once('Tracing.tracingComplete', () => resolve()));
  await session.send('Tracing.end');
  await complete;
  session.off('Tracing.dataCollected', collect);
  return events;
}

/** The processor time of the page's main thread between frames. */
export function workOfFrames(events: readonly TraceEvent[]): number[] {
  const begun = events.filter(({ name, ph }) => name === 'AnimationFrame' && ph === 'b');
  const main = begun[0] && threadOf(begun[0]);
  const starts = begun.filter((event) => threadOf(event) === main).map(({ ts }) => ts).sort((one, other) => one - other);
  const work = new Array<number>(starts.length).fill(0);
  for (const event of tasksOf(events)) {
    // The task that starts a frame began a moment earlier.
    const frame = starts.findLastIndex((start) => start <= event.ts + TASK_LEAD_US);
    if (frame >= 0) work[frame] = (work[frame] ?? 0) + (event.tdur ?? 0) / 1_000;
  }
  return work.slice(1, -1);
}

/** The processor time of each task of the page's main thread. */
export function workOfTasks(events: readonly TraceEvent[]): number[] {
  return tasksOf(events).map(({ tdur = 0 }) => tdur / 1_000);
}

/** The tasks of the main thread. */
function tasksOf(events: readonly TraceEvent[]): TraceEvent[] {
  const first = events.find(({ name, ph }) => name === 'AnimationFrame' && ph === 'b');
  const main = first && threadOf(first);
  return events.filter((event) => event.name === 'ThreadControllerImpl::RunTask' && event.ph === 'X' && threadOf(event) === main);
}

function threadOf({ pid, tid }: TraceEvent): string {
  return `${String(pid)}:${String(tid)}`;
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function spread(values: readonly number[]): string {
  return `p50 ${quantile(values, 0.5).toFixed(1)} ms, p95 ${quantile(values, 0.95).toFixed(1)} ms, p99 ${quantile(values, 0.99).toFixed(1)} ms`;
}

export function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

/** Makes the page record the time between frames in `gaps`. */
export function countFrames(): void {
  const gaps: number[] = [];
  (window as unknown as { gaps: number[] }).gaps = gaps;
  let before = performance.now();
  const next = (now: number): void => {
    gaps.push(now - before);
    before = now;
    requestAnimationFrame(next);
  };
  requestAnimationFrame(next);
}
