// The cost of live prices on a list that is not scrolled, and of a tap meanwhile.
import type { Browser, CDPSession, Page } from 'playwright-core';

import { serveManyRows } from './manyRows.ts';
import { countFrames, openMeasured, PHONE, traced, workOfFrames, workOfTasks } from './trace.ts';

const LIST = '/invest-v2/stock';
const WARM_UP_MS = 1_000;
const TAPS = 20;
const AFTER_TAP_MS = 250;
const MEGABYTE = 1_000_000;

/** Scaled to a phone that is four times slower, where it is processor time. */
export interface Storm {
  ticksPerSecond: number;
  scriptMsPerSecond: number;
  /** The share of time in which the main thread is busy. */
  busy: number;
  longestTaskMs: number;
  frameWorkMs: number[];
  /** In wall-clock time on this machine. */
  gapsMs: number[];
  heapGrowthMbPerMinute: number;
}

/** What the page does for prices, as counts: the same on every machine that keeps up. */
export interface StormWork {
  ticks: number;
  frames: number;
  layouts: number;
  /** The number of times in which something of the page was changed. */
  drawings: number;
  changes: number;
  newElements: number;
}

/** Counts the work of a list that is not scrolled while this many prices a second change. */
export async function countStormWork(browser: Browser, dist: string, ticksPerSecond: number, seconds: number): Promise<StormWork> {
  return onLiveList(browser, dist, ticksPerSecond, async ({ page, session, ticksSent }) => {
    await session.send('Performance.enable');
    const before = await layoutsOf(session);
    const sentBefore = ticksSent();
    await page.evaluate(countFrames);
    await page.evaluate(() => {
      const counted = { drawings: 0, changes: 0, newElements: 0 };
      (window as unknown as { counted: typeof counted }).counted = counted;
      new MutationObserver((changes) => {
        counted.drawings += 1;
        counted.changes += changes.length;
        for (const { addedNodes } of changes) counted.newElements += [...addedNodes].filter((node) => node instanceof Element).length;
      }).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
    });
    await page.waitForTimeout(seconds * 1_000);
    const counted = await page.evaluate(() => {
      const { counted: found, gaps } = window as unknown as { counted: Omit<StormWork, 'ticks' | 'frames' | 'layouts'>; gaps: number[] };
      return { ...found, frames: gaps.length };
    });
    return { ...counted, ticks: ticksSent() - sentBefore, layouts: (await layoutsOf(session)) - before };
  });
}

/** The layouts of the page for each tap on hearts, chips and tabs while 100 prices a second change. */
export async function countTapWork(browser: Browser, dist: string): Promise<number[]> {
  const layouts: number[] = [];
  await onTappedList(browser, dist, async (session, _page, tapAll) => {
    await session.send('Performance.enable');
    await tapAll(async (tap) => {
      const before = await layoutsOf(session);
      await tap();
      layouts.push((await layoutsOf(session)) - before);
    });
  });
  return layouts;
}

/** A list that is not scrolled while this many prices a second change. */
export async function measureStorm(browser: Browser, dist: string, ticksPerSecond: number, seconds: number): Promise<Storm> {
  return onLiveList(browser, dist, ticksPerSecond, async ({ page, session, ticksSent }) => {
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    const metrics = async (): Promise<Map<string, number>> => {
      await session.send('HeapProfiler.collectGarbage');
      const found = await session.send('Performance.getMetrics');
      return new Map(found.metrics.map(({ name, value }) => [name, value]));
    };
    const before = await metrics();
    await page.evaluate(countFrames);
    const sentBefore = ticksSent();
    const startedMs = performance.now();
    const events = await traced(session, () => page.waitForTimeout(seconds * 1_000));
    const passedS = (performance.now() - startedMs) / 1_000;
    const ticks = ticksSent() - sentBefore;
    const gapsMs = await page.evaluate(() => (window as unknown as { gaps: number[] }).gaps);
    const after = await metrics();
    const grown = (name: string): number => (after.get(name) ?? Number.NaN) - (before.get(name) ?? Number.NaN);
    return {
      ticksPerSecond: ticks / passedS,
      scriptMsPerSecond: (grown('ScriptDuration') * 1_000 * PHONE) / passedS,
      busy: (grown('TaskDuration') * PHONE) / passedS,
      longestTaskMs: Math.max(...workOfTasks(events)) * PHONE,
      frameWorkMs: workOfFrames(events).map((ms) => ms * PHONE),
      gapsMs,
      heapGrowthMbPerMinute: (grown('JSHeapUsedSize') / MEGABYTE / passedS) * 60,
    };
  });
}

/** The longest task after each tap on hearts, chips and tabs while 100 prices a second change, in a phone's processor time. */
export async function measureTapWork(browser: Browser, dist: string): Promise<number[]> {
  const workMs: number[] = [];
  await onTappedList(browser, dist, (session, _page, tapAll) =>
    tapAll(async (tap) => {
      workMs.push(Math.max(...workOfTasks(await traced(session, tap))) * PHONE);
    }),
  );
  return workMs;
}

/** The time from such a tap to the next frame with a four times slower processor, by the clock. */
export async function measureTapDelays(browser: Browser, dist: string): Promise<number[]> {
  let delaysMs: number[] = [];
  await onTappedList(browser, dist, async (session, page, tapAll) => {
    await page.evaluate(() => {
      const delays = new Map<number, number>();
      (window as unknown as { delays: Map<number, number> }).delays = delays;
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries() as (PerformanceEntry & { interactionId: number })[]) {
          if (entry.interactionId > 0) delays.set(entry.interactionId, Math.max(entry.duration, delays.get(entry.interactionId) ?? 0));
        }
      }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit);
    });
    await session.send('Emulation.setCPUThrottlingRate', { rate: PHONE });
    await tapAll((tap) => tap());
    delaysMs = await page.evaluate(() => [...(window as unknown as { delays: Map<number, number> }).delays.values()]);
  });
  return delaysMs;
}

async function layoutsOf(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'LayoutCount')?.value ?? Number.NaN;
}

interface LiveList {
  page: Page;
  session: CDPSession;
  ticksSent: () => number;
}

/** Opens a list of twenty rows with live prices, and closes it after the measurement. */
async function onLiveList<T>(browser: Browser, dist: string, ticksPerSecond: number, measure: (list: LiveList) => Promise<T>): Promise<T> {
  const product = await serveManyRows(dist, 20, ticksPerSecond);
  const { context, page, session } = await openMeasured(browser);
  try {
    await page.goto(`${product.origin}${LIST}`);
    await page.getByText('실시간', { exact: true }).waitFor();
    await page.waitForTimeout(WARM_UP_MS);
    return await measure({ page, session, ticksSent: () => product.ticksSent() });
  } finally {
    await context.close();
    product.close();
  }
}

type Tap = () => Promise<void>;

/** Opens a list with live prices and returns the taps to make, each with the duration of its effect. */
async function onTappedList(
  browser: Browser,
  dist: string,
  measure: (session: CDPSession, page: Page, tapAll: (onTap: (tap: Tap) => Promise<void>) => Promise<void>) => Promise<void>,
): Promise<void> {
  await onLiveList(browser, dist, 100, async ({ page, session }) => {
    const places = [
      page.getByRole('tab', { name: '코스피' }),
      page.getByRole('button', { name: /관심 종목/ }).first(),
      page.getByRole('tab', { name: '코스닥' }),
      page.getByRole('tab', { name: '인기' }),
    ];
    await measure(session, page, async (onTap) => {
      for (let number = 0; number < TAPS; number += 1) {
        const place = places[number % places.length];
        if (!place) continue;
        await onTap(async () => {
          await place.tap();
          await page.waitForTimeout(AFTER_TAP_MS);
        });
      }
    });
  });
}
